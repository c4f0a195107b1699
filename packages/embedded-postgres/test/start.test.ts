/** A start and a clean stop: the created files, persistence, settings, and refusals. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import {
  DataDirInUseError,
  EmbeddedPostgresError,
  findRunningDatabase,
  startEmbeddedPostgres,
} from '@oja/embedded-postgres';
import { open } from './support/client.ts';
import { clusterIn, isRoot, startIn, temporaryFolder } from './support/folder.ts';

/** One cluster for the tests that do not need a fresh one. */
const dataDir = await temporaryFolder();
const clusterDir = clusterIn(dataDir);

test('a fresh folder gets a database that survives a clean stop, run by an unprivileged user', async () => {
  {
    await using server = await startIn(dataDir);
    await using client = open(server);
    await client.query('create table things (id int)');
    await client.query('insert into things (id) values (42)');
    const rows = await client.query(
      `select current_database() as name, current_setting('listen_addresses') as tcp`,
    );
    assert.deepEqual(rows, [{ name: 'shop', tcp: '' }]);
    assert.equal(await findRunningDatabase(dataDir), server.connectionString);
    assert.notEqual((await stat(clusterDir)).uid, 0);
    if (process.platform === 'linux') {
      assert.doesNotMatch(await readFile(`/proc/${server.pid}/status`, 'utf8'), /^Uid:\s+0/m);
    }
    const socketDir = new URL(server.connectionString).searchParams.get('host') ?? '';
    assert.equal((await stat(socketDir)).mode & 0o777, 0o700);
  }
  assert.equal(await findRunningDatabase(dataDir), undefined);
  await assert.rejects(access(join(clusterDir, 'postmaster.pid')), { code: 'ENOENT' });
  await using server = await startIn(dataDir);
  await using client = open(server);
  assert.deepEqual(await client.query('select id from things'), [{ id: 42 }]);
});

test('a database of any name is made, once; without a name it is the one every server has', async () => {
  const databaseName = `Mama's "shop" 100 %`;
  for (const expected of [0, 1]) {
    await using server = await startEmbeddedPostgres({ dataDir, databaseName, durable: false });
    await using client = open(server);
    assert.deepEqual(await client.query('select current_database() as name'), [{ name: databaseName }]);
    await client.query('create table if not exists things (id int)');
    assert.equal((await client.query('select id from things')).length, expected);
    await client.query('insert into things (id) values (1)');
  }
  await using server = await startEmbeddedPostgres({ dataDir, durable: false });
  await using client = open(server);
  assert.deepEqual(await client.query('select current_database() as name'), [{ name: 'postgres' }]);
  for (const wrong of ['', 'a/b', 'n'.repeat(64)]) {
    await assert.rejects(startEmbeddedPostgres({ dataDir, databaseName: wrong }), TypeError);
  }
});

test('by default what was committed is flushed to the disk; tests may do without', async () => {
  const durable = `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`;
  {
    await using server = await startIn(dataDir);
    await using client = open(server);
    assert.deepEqual(await client.query(durable), [{ fsync: 'off', commit: 'off' }]);
  }
  const server = await startEmbeddedPostgres({ dataDir, settings: { work_mem: '5MB' } });
  {
    await using client = open(server);
    assert.deepEqual(await client.query(durable), [{ fsync: 'on', commit: 'on' }]);
    assert.deepEqual(await client.query('show work_mem'), [{ work_mem: '5MB' }]);
  }
  await server.stop();
  await server.exited;
});

test('what goes beside the start begins when the folder is ours, and never where it is not', async () => {
  const calls: string[] = [];
  const onLocked = (): void => void calls.push('beside');
  await using server = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    onLocked,
    settings: async () => {
      calls.push('settings');
      return {};
    },
  });
  assert.deepEqual(calls, ['beside', 'settings']);
  await assert.rejects(startEmbeddedPostgres({ dataDir, onLocked }), DataDirInUseError);
  assert.deepEqual(calls, ['beside', 'settings']);
  assert.ok(server.pid !== undefined);
});

test('a second stop does nothing, though another has started on the folder meanwhile', async () => {
  const first = await startIn(dataDir);
  await first.stop();
  await using second = await startIn(dataDir);
  await first.stop();
  assert.equal(await findRunningDatabase(dataDir), second.connectionString);
  await using client = open(second);
  assert.deepEqual(await client.query('select 1 as one'), [{ one: 1 }]);
});

test('the log has what happened, and none of the data', async () => {
  await using server = await startIn(dataDir);
  await using client = open(server);
  await client.query('create table if not exists cards (number text unique)');
  await client.query(`insert into cards (number) values ('4000-1234')`);
  await assert.rejects(client.query(`insert into cards (number) values ('4000-1234')`), { code: '23505' });
  const log = await readFile(join(dataDir, 'postgres', 'server.log'), 'utf8');
  assert.match(log, /duplicate key value violates unique constraint/);
  assert.doesNotMatch(log, /4000-1234/);
});

test('a folder whose path is too long for a socket works, each with a socket of its own', async () => {
  const dirs = ['a', 'b'].map((name) => join(dataDir, 'l'.repeat(100), name));
  const [a, b] = await Promise.all(dirs.map((dir) => startIn(dir)));
  assert.ok(a && b);
  assert.notEqual(a.connectionString, b.connectionString);
  for (const server of [a, b]) {
    await using client = open(server);
    assert.deepEqual(await client.query('select 1 as one'), [{ one: 1 }]);
  }
  const socketDir = new URL(a.connectionString).searchParams.get('host') ?? '';
  await Promise.all([a.stop(), b.stop()]);
  await assert.rejects(access(socketDir), { code: 'ENOENT' });
});

test('root may keep the data in a folder that is closed to the server', { skip: !isRoot }, async () => {
  const closed = join(dataDir, 'closed');
  await mkdir(closed, { mode: 0o700 });
  const dir = join(closed, 'data');
  for (const expected of [0, 1]) {
    await using server = await startIn(dir);
    await using client = open(server);
    await client.query('create table if not exists things (id int)');
    assert.equal((await client.query('select id from things')).length, expected);
    await client.query('insert into things (id) values (1)');
    await client.query('select pg_reload_conf()');
    await client.query('checkpoint');
  }
});

test('data that root restored as its own is given to the server again', { skip: !isRoot }, async () => {
  await (await startIn(dataDir)).stop();
  await promisify(execFile)('chown', ['-R', '0:0', clusterDir]);
  await using server = await startIn(dataDir);
  await using client = open(server);
  assert.deepEqual(await client.query('select 1 as one'), [{ one: 1 }]);
  assert.notEqual((await stat(clusterDir)).uid, 0);
});

test('a folder of another major version, or that cannot be written, is refused with the reason', async () => {
  const dir = join(dataDir, 'old');
  const cluster = clusterIn(dir);
  await mkdir(cluster, { recursive: true });
  await writeFile(join(cluster, 'PG_VERSION'), '17\n');
  await assert.rejects(startIn(dir), refusal('data_dir_other_version', /\b17\b.*\b18\b/));
  await assert.rejects(access(join(dir, 'postgres.lock')), { code: 'ENOENT' });
  const file = join(dataDir, 'a-file');
  await writeFile(file, '');
  await assert.rejects(startIn(join(file, 'data')), refusal('data_dir_not_writable', /a-file/));
});

test('a setting that PostgreSQL refuses is told in its words, and the folder is free again', async () => {
  await assert.rejects(
    startEmbeddedPostgres({ dataDir, settings: { max_connections: 'many' } }),
    refusal('start_failed', /invalid value for parameter "max_connections": "many".*\bserver\.log\b/),
  );
  await using _server = await startIn(dataDir);
});

test('a folder that somebody else made in place of the socket is not used', { skip: !isRoot }, async () => {
  const dir = join(dataDir, 'planted');
  const socketDir = join(dir, 'postgres', 'socket');
  await mkdir(socketDir, { recursive: true });
  await chown(socketDir, 12_345, 12_345);
  await assert.rejects(startIn(dir), refusal('no_socket_folder', /\bsocket\b/));
  await chown(socketDir, 0, 0);
  await using _server = await startIn(dir);
});

function refusal(code: string, message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof EmbeddedPostgresError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
}
