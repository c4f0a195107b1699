/**
 * Backups of a gateway's own database while merchants buy, and their restore: what was acknowledged
 * is in it, and a command that is killed at any moment leaves nothing that looks whole.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { newBackupKey } from '../../src/backup/backup-key.ts';
import { checkPages } from '../../src/backup/page-checksums.ts';
import { openDatabase } from '../../src/db/database.ts';
import { clusterOf, findEmbeddedDatabase, startEmbeddedServer } from '../../src/db/embedded-server.ts';
import { readFenceRequest } from '../../src/recovery/fence-request.ts';
import { type Ran, runOja, startOja, strangeKey } from '../cli/harness.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { acknowledgedBefore, type Load, startLoad } from '../support/load.ts';
import { until } from '../support/until.ts';

type Settings = Readonly<Record<string, string>>;

describe('a backup of the database that Oja runs itself', () => {
  let gateway: Gateway;
  let load: Load;
  let folder: string;
  let backups: string;
  let settings: Settings;
  let taken: { id: string; path: string; taken_at: string };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oja-backup-'));
    cleanUpAfter(folder);
    await chmod(folder, 0o755);
    backups = join(folder, 'backups');
    gateway = await startGateway({ databaseUrl: 'embedded', settings: { OJA_LOG_LEVEL: 'warn' } });
    const { identity } = await newBackupKey();
    settings = { OJA_DATA_DIR: gateway.dataDir, OJA_BACKUP_KEY: identity };
    const { key, secret } = gateway.credentials.test;
    load = startLoad({
      url: () => gateway.url,
      key,
      secret,
      plans: [],
      clients: 4,
      seed: 7,
      pauseMs: 20,
    });
  });

  after(async () => {
    await load?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const oja = (...args: string[]): Promise<Ran> => runOja(settings, args);
  const refuses = async (how: RegExp, code: number, args: readonly string[], also: Settings = {}) => {
    const ran = await runOja({ ...settings, ...also }, args);
    assert.match(ran.err, how);
    assert.deepEqual([ran.code, ran.out], [code, '']);
  };

  it('is refused by name where it would be of no use, before anything is written', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await refuses(/OJA_BACKUP_KEY must be a key/, 1, ['backup', backups], { OJA_BACKUP_KEY: 'secret' });
    await refuses(/lies in the data folder/, 1, ['backup', join(gateway.dataDir, 'backups')]);
    await refuses(/cannot be kept in .*file/, 1, ['backup', file]);
    await refuses(/holds other things than backups, such as file/, 1, ['backup', folder]);
    await refuses(/pgBackRest or pg_basebackup/, 1, ['backup', backups], {
      DATABASE_URL: 'postgresql://oja@db.example/oja',
    });
    await refuses(/--keep must be a whole number/, 2, ['backup', backups, '--keep', '0']);
    await refuses(/missing required argument 'folder'/, 2, ['backup']);
    await assert.rejects(readdir(backups), { code: 'ENOENT' });
  });

  it('killed in the middle leaves no backup, and no log kept in the server', async () => {
    const server = (await findEmbeddedDatabase(gateway.dataDir)) ?? '';
    await using database = openDatabase({
      connectionString: server,
      connectionsMax: 1,
      applicationName: 'oja test',
      onPoolError: () => undefined,
    });
    const command = startOja(settings, ['backup', backups]);
    const slots = () => database.query('select from pg_replication_slots');
    await until('files are copied', async () => {
      if (!(await readDraft(backups)).includes('cluster.tar.zst.age')) return false;
      // It would go on while we ask.
      return command.kill('SIGSTOP');
    });
    assert.equal((await slots()).length, 1);
    const [held] = await database.query<{ held: bigint }>(`
      select count(*) as held
      from pg_stat_activity
      where application_name = 'oja-cli' and (backend_xmin is not null or xact_start is not null)`);
    assert.equal(held?.held, 0n, 'no snapshot is held');
    const gone = once(command, 'exit');
    command.kill('SIGKILL');
    await gone;
    await until('the log is kept for nobody', async () => (await slots()).length === 0);
    const listed = await oja('backup', 'list', backups);
    assert.deepEqual([listed.code, listed.out], [0, 'no backups\n']);
    assert.notDeepEqual(await readdir(backups), []);
  });

  it('has every purchase that was acknowledged before it was taken, and is checked', async () => {
    const ran = await oja('backup', backups, '--json');
    await load.stop();
    assert.equal(ran.code, 0, ran.err);
    const { data } = JSON.parse(ran.out);
    taken = data;
    assert.ok(data.verified && Number(data.purchases) > 0 && data.audit_checks > 40 && data.pages > 1_000);
    assert.deepEqual((await readdir(backups)).sort(), [data.id]);
    // It is noted, so that its absence is noticed one day.
    const entries = JSON.parse((await oja('audit-log', 'list', '--limit', '1', '--json')).out).data;
    assert.deepEqual([entries[0].action, entries[0].subject], ['backup.record', `backup:${data.id}`]);
    const list = JSON.parse((await oja('backup', 'list', backups, '--json')).out);
    assert.deepEqual([list.data.length, list.data[0].id, list.data[0].path], [1, data.id, data.path]);
    const made = JSON.parse((await oja('backup', 'key', '--json')).out).data;
    assert.match(`${made.key} ${made.recipient}`, /^AGE-SECRET-KEY-1[0-9A-Z]{58} age1[0-9a-z]+$/);

    const key = await readFile(join(gateway.dataDir, 'encryption.key'), 'utf8');
    const restored = join(folder, 'restored');
    const target = { OJA_DATA_DIR: restored, OJA_ENCRYPTION_KEY: key.trim() };
    await refuses(/opens with encryption key \w+ alone/, 1, ['restore', backups], {
      ...target,
      OJA_ENCRYPTION_KEY: strangeKey(),
    });
    const killed = startOja({ ...settings, ...target }, ['restore', backups]);
    const gone = once(killed, 'exit');
    await until('the restore has begun', () =>
      readdir(join(restored, 'restoring', 'postgres')).then(
        (names) => names.length > 0 && killed.kill('SIGKILL'),
        () => false,
      ),
    );
    await gone;
    // There is no database now, and a gateway must not make a new one.
    await assert.rejects(startEmbeddedServer({ dataDir: restored }), (error: Error) =>
      error.message.includes(restored),
    );
    const again = await runOja({ ...settings, ...target }, ['restore', backups]);
    assert.equal(again.code, 0, again.err);
    assert.deepEqual((await readdir(restored)).sort(), ['postgres']);
    const request = await readFenceRequest(restored);
    assert.deepEqual(
      [request?.backup, request?.taken_at, request?.until],
      [taken.id, new Date(taken.taken_at).toISOString(), null],
    );

    await using stack = new AsyncDisposableStack();
    const server = await startEmbeddedServer({ dataDir: restored });
    stack.defer(() => server.stop());
    const database = stack.use(
      openDatabase({
        connectionString: server.connectionString,
        connectionsMax: 1,
        applicationName: 'oja test',
        onPoolError: () => undefined,
      }),
    );
    const rows = await database.query<{ reference: string }>('select reference from vends');
    const found = new Set(rows.map(({ reference }) => reference));
    const before = acknowledgedBefore(load.purchases, new Date(taken.taken_at));
    assert.ok(before.length > 0);
    assert.deepEqual(
      before.map(({ reference }) => reference).filter((reference) => !found.has(reference)),
      [],
    );
  });

  it('takes the place of a database only when told to, which is then moved aside', async () => {
    const key = await readFile(join(gateway.dataDir, 'encryption.key'), 'utf8');
    const target = { OJA_DATA_DIR: join(folder, 'restored'), OJA_ENCRYPTION_KEY: key.trim() };
    await refuses(/already in use by a running Oja .*stop it first/, 1, ['restore', backups, '--yes']);
    await refuses(/is moved aside\? .*add --yes/, 1, ['restore', backups], target);
    await refuses(/--until must be latest, or a time with its offset/, 2, [
      'restore',
      backups,
      '--until',
      'noon',
    ]);
    await refuses(/there is no backup in/, 1, ['restore', join(folder, 'restored')], target);
    const ran = await runOja({ ...settings, ...target }, ['restore', taken.path, '--yes', '--json']);
    assert.equal(ran.code, 0, ran.err);
    const { moved_to: aside } = JSON.parse(ran.out).data;
    assert.match(aside, /restored\/postgres\.before-/);
    assert.ok((await readdir(aside)).includes('cluster'));
  });

  it('is refused where it is not what was written, or was written by somebody else', async () => {
    const { identity } = await newBackupKey();
    await refuses(/the key here is that of age1/, 1, ['backup', 'verify', backups], {
      OJA_BACKUP_KEY: identity,
    });
    const manifest = join(taken.path, 'manifest.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace(/"stop_lsn": "[^"]+"/, '"stop_lsn": "0/1"'));
    await refuses(/was changed: its signature is wrong/, 1, ['backup', 'verify', taken.path]);
    await writeFile(manifest, text.slice(0, -20));
    await refuses(/manifest.json cannot be read/, 1, ['backup', 'list', backups]);
    await writeFile(manifest, text);
    await flipByte(join(taken.path, 'cluster.tar.zst.age'), 100_000);
    await refuses(/is damaged: its SHA-256 is not that of the manifest/, 1, ['restore', taken.path], {
      OJA_DATA_DIR: join(folder, 'elsewhere'),
      OJA_ENCRYPTION_KEY: (await readFile(join(gateway.dataDir, 'encryption.key'), 'utf8')).trim(),
    });
  });

  it('finds a page that is not what the server wrote', async () => {
    const cluster = clusterOf(join(folder, 'restored'));
    await flipByte(join(cluster, 'global', '1260'), 8_100);
    const { pages, wrong } = await checkPages(cluster);
    assert.deepEqual([pages > 1_000, wrong], [true, [{ file: 'global/1260', page: 0 }]]);
  });

  it('fails where the gateway dies meanwhile, and is taken of a database that nobody runs', async () => {
    const slow = oja('backup', backups, '--no-verify');
    await until('files are copied', async () => {
      if (!(await readDraft(backups)).includes('cluster.tar.zst.age')) return false;
      gateway.kill('SIGKILL');
      return true;
    });
    const failed = await slow;
    assert.equal(failed.code, 1);
    assert.notEqual(failed.err, '');
    assert.deepEqual(await readdir(backups), [taken.id]);
    const ran = await oja('backup', backups, '--no-verify', '--plain', '--keep', '1', '--json');
    assert.equal(ran.code, 0, ran.err);
    const { id, removed, recipient } = JSON.parse(ran.out).data;
    assert.deepEqual([removed, recipient, await readdir(backups)], [[taken.id], null, [id]]);
    await refuses(/is in clear, so nothing proves who made it/, 1, ['backup', 'verify', backups]);
  });

  it('is encrypted to what follows from the encryption key where no key is set', async () => {
    const unset = { ...settings, OJA_BACKUP_KEY: '' };
    const ran = await runOja(unset, ['backup', backups, '--no-verify', '--keep', '1', '--json']);
    assert.equal(ran.code, 0, ran.err);
    const { recipient } = JSON.parse(ran.out).data;
    assert.match(recipient, /^age1/);
    const verified = await runOja(unset, ['backup', 'verify', backups, '--json']);
    assert.equal(verified.code, 0, verified.err);
    const stranger = { OJA_BACKUP_KEY: '', OJA_ENCRYPTION_KEY: 'ab'.repeat(32) };
    await refuses(/the key here is that of age1/, 1, ['backup', 'verify', backups], stranger);
    // A machine that has neither key takes none.
    const none = { ...stranger, OJA_ENCRYPTION_KEY: '', OJA_DATA_DIR: join(folder, 'elsewhere') };
    await refuses(/set OJA_BACKUP_KEY/, 1, ['backup', 'verify', backups], none);
  });
});

/** The files of the backup that is being made. */
async function readDraft(backups: string): Promise<string[]> {
  const names = await readdir(backups).catch(() => []);
  const draft = names.find((name) => name.startsWith('.unfinished-'));
  return draft === undefined ? [] : await readdir(join(backups, draft)).catch(() => []);
}

async function flipByte(path: string, at: number): Promise<void> {
  await using file = await open(path, 'r+');
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at);
  await file.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, at);
}
