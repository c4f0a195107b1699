/**
 * A restore to a moment after a backup, by the log that was kept; and what the archive of the log
 * refuses.
 */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { prepareDatabase } from '../../src/app/prepare-database.ts';
import { newBackupKey } from '../../src/backup/backup-key.ts';
import { readArchiveId, shipWal } from '../../src/backup/wal-archive.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { clusterOf, startEmbeddedServer } from '../../src/db/embedded-server.ts';
import { insertSettingOnce, readSetting } from '../../src/db/setting-store.ts';
import { spoolName } from '../../src/db/wal-spool.ts';
import { readFenceRequest } from '../../src/recovery/fence-request.ts';
import { runOja } from '../cli/harness.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { until } from '../support/until.ts';

test('a database is restored to a moment, or to the end of its log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oja-wal-'));
  cleanUpAfter(join(folder, 'data'));
  try {
    await chmod(folder, 0o755);
    const key = await newBackupKey();
    const [data, backups, archive] = ['data', 'backups', 'wal'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const settings = { OJA_BACKUP_KEY: key.identity, OJA_WAL_ARCHIVE_DIR: archive };
    const spool = join(clusterOf(data), spoolName);
    let moment = '';
    {
      await using stack = new AsyncDisposableStack();
      const server = await startEmbeddedServer({ dataDir: data, archive: 'on' });
      stack.defer(() => server.stop());
      const database = stack.use(open(server.connectionString));
      await prepareDatabase(database, []);
      const taken = await runOja({ ...settings, OJA_DATA_DIR: data }, [
        'backup',
        backups,
        '--no-verify',
        '--json',
      ]);
      assert.equal(taken.code, 0, taken.err);
      assert.equal(JSON.parse(taken.out).data.wal_archive, await readArchiveId(data));
      await insertSettingOnce(database, 'before', 'yes');
      const [row] = await database.query<{ now: Date }>('select clock_timestamp() as now');
      moment = new Date((row?.now.getTime() ?? 0) + 1).toISOString();
      await database.query('select pg_sleep(0.05)');
      await insertSettingOnce(database, 'after', 'yes');
    }
    // The server has put all of its log aside when it has stopped.
    assert.ok((await readdir(spool)).length > 0);
    const shipped = await shipWal(data, archive, key);
    assert.ok(shipped > 0);
    assert.deepEqual([await readdir(spool), await shipWal(data, archive, key)], [[], 0]);

    const restore = async (...args: string[]) =>
      await runOja({ ...settings, OJA_DATA_DIR: join(folder, 'restored') }, [
        'restore',
        backups,
        '--yes',
        ...args,
      ]);
    const found = async (): Promise<(string | undefined)[]> => {
      await using stack = new AsyncDisposableStack();
      const server = await startEmbeddedServer({ dataDir: join(folder, 'restored') });
      stack.defer(() => server.stop());
      const database = stack.use(open(server.connectionString));
      return [await readSetting(database, 'before'), await readSetting(database, 'after')];
    };
    const done = await restore('--until', moment);
    assert.equal(done.code, 0, done.err);
    assert.deepEqual(await found(), ['yes', undefined]);
    assert.equal((await readFenceRequest(join(folder, 'restored')))?.until, moment);
    assert.equal(await readArchiveId(join(folder, 'restored')), undefined, 'its history is another');
    assert.equal((await restore('--until', 'latest')).code, 0);
    assert.deepEqual(await found(), ['yes', 'yes']);

    const refused = async (how: RegExp, ...args: string[]) => {
      const ran = await restore(...args);
      assert.deepEqual([ran.code, ran.out], [1, '']);
      assert.match(ran.err, how);
    };
    await refused(/was taken at .* after that moment/, '--until', '2020-01-01T00:00:00Z');
    await refused(/does not recover: .*recovery ended before/, '--until', '2100-01-01T00:00:00Z');
    assert.ok((await readdir(join(folder, 'restored'))).includes('postgres'), 'what is there is as it was');
    await rename(archive, `${archive}-away`);
    await refused(/the log of backup .* cannot be read/, '--until', 'latest');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a file of the log that was stored already is stored once; another of its name is kept apart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oja-wal-'));
  cleanUpAfter(folder);
  try {
    await chmod(folder, 0o755);
    const key = await newBackupKey();
    const server = await startEmbeddedServer({ dataDir: folder, durable: false, archive: 'on' });
    await server.stop();
    const spool = join(clusterOf(folder), spoolName);
    const archive = join(folder, 'wal');
    await until('the log is put aside', async () => (await readdir(spool)).length > 0);
    await shipWal(folder, archive, key);
    const name = '000000010000000000000099';
    await writeFile(join(spool, name), 'one');
    assert.equal(await shipWal(folder, archive, key), 1);
    await writeFile(join(spool, name), 'one');
    assert.equal(await shipWal(folder, archive, key), 1);
    await writeFile(join(spool, name), 'other');
    await writeFile(join(spool, `${name}.part`), 'half');
    await assert.rejects(shipWal(folder, archive, key), /is another file of the log under the same name/);
    assert.deepEqual((await readdir(spool)).sort(), [name, `${name}.part`]);
    const before = await readArchiveId(folder);
    // Once on, it stays so for every command; off and on again is another archive.
    for (const [wish, expected] of [
      ['as_it_is', before],
      ['off', undefined],
    ] as const) {
      await (await startEmbeddedServer({ dataDir: folder, durable: false, archive: wish })).stop();
      assert.equal(await readArchiveId(folder), expected);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

function open(connectionString: string): Database {
  return openDatabase({
    connectionString,
    connectionsMax: 1,
    applicationName: 'oja test',
    onPoolError: () => undefined,
  });
}
