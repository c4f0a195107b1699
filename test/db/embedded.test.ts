import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { access, chmod, chown, cp, mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { findRunningDatabase } from '../../src/db/embedded/data-lock.ts';
import { findBinaries } from '../../src/db/embedded/find-binaries.ts';
import { birthOf } from '../../src/db/embedded/process-identity.ts';
import { chooseServerUser } from '../../src/db/embedded/server-user.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/db/embedded/start-embedded-postgres.ts';
import { cleanUpAfter } from '../support/test-cluster.ts';

const isRoot = process.getuid?.() === 0;
const folder = await mkdtemp(join(tmpdir(), 'oja-embedded-'));
cleanUpAfter(folder);
await chmod(folder, 0o755);

/** One cluster for the tests that do not need a fresh one: the janitor knows its place. */
const dataDir = folder;
const clusterDir = join(dataDir, 'postgres', 'cluster');

async function start(dir = dataDir): Promise<EmbeddedPostgres & AsyncDisposable> {
  const server = await startEmbeddedPostgres({ dataDir: dir, durable: false });
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.stop() });
}

function open({ connectionString }: { connectionString: string }): Database {
  return openDatabase({
    connectionString,
    connectionsMax: 3,
    applicationName: 'db-embedded test',
    onPoolError: () => undefined,
    connectTimeoutMs: 1_000,
  });
}

async function eventually<T>(look: () => Promise<T>, what: string): Promise<T> {
  const deadline = performance.now() + 15_000;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > deadline) {
        throw new Error(`never: ${what}`, { cause: error });
      }
      await sleep(20);
    }
  }
}

/** Another process that runs the database, up when this resolves, gone at the latest when the test ends. */
async function startHost(
  t: TestContext,
): Promise<{ host: ChildProcess; connectionString: string; pid: number }> {
  const script = join(import.meta.dirname, '..', 'support', 'embedded-host.ts');
  const host = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => host.kill('SIGKILL'));
  const [line] = await Promise.race([
    once(createInterface({ input: host.stdout }), 'line'),
    once(host, 'exit').then(([code]) => assert.fail(`the host ended at its start (exit code ${code})`)),
  ]);
  return { host, ...(JSON.parse(String(line)) as { connectionString: string; pid: number }) };
}

/** Sends the server a signal behind Oja's back and gives its process id. */
function kill(server: EmbeddedPostgres, signal: NodeJS.Signals): number {
  assert.ok(server.pid);
  process.kill(server.pid, signal);
  return server.pid;
}

async function killed(host: ChildProcess): Promise<void> {
  host.kill('SIGKILL');
  await once(host, 'exit');
}

test('a fresh folder gets a database that survives a clean stop, run by an unprivileged user', async () => {
  {
    await using server = await start();
    await using database = open(server);
    await database.query('create table things (id bigint)');
    await database.query('insert into things (id) values (42)');
    const rows = await database.query(
      `select current_database() as name, current_setting('listen_addresses') as tcp`,
    );
    assert.deepEqual(rows, [{ name: 'oja', tcp: '' }]);
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
  await using server = await start();
  await using database = open(server);
  assert.deepEqual(await database.query('select id from things'), [{ id: 42n }]);
});

test('by default what was committed is flushed to the disk; tests may do without', async () => {
  const durable = `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`;
  {
    await using server = await start();
    await using database = open(server);
    assert.deepEqual(await database.query(durable), [{ fsync: 'off', commit: 'off' }]);
  }
  const server = await startEmbeddedPostgres({ dataDir, settings: { work_mem: '5MB' } });
  {
    await using database = open(server);
    assert.deepEqual(await database.query(durable), [{ fsync: 'on', commit: 'on' }]);
    assert.deepEqual(await database.query('show work_mem'), [{ work_mem: '5MB' }]);
  }
  await server.stop();
  await server.exited;
});

test('a second start on a folder in use is refused, naming the holder; the first is not disturbed', async (t) => {
  const { host, connectionString } = await startHost(t);
  await assert.rejects(start(), {
    message: `${dataDir} is already in use by a running Oja (pid ${host.pid})`,
  });
  await using database = open({ connectionString });
  assert.deepEqual(await database.query('select 1 as one'), [{ one: 1 }]);
  host.kill('SIGTERM');
  assert.deepEqual(await once(host, 'exit'), [0, null]);
  await using _server = await start();
});

test('a start waits for a command that has the folder for a moment', async () => {
  const command = await startEmbeddedPostgres({ dataDir, durable: false, brief: true });
  const next = start();
  assert.equal(await Promise.race([next.then(() => 'started'), sleep(300, 'waits')]), 'waits');
  await command.stop();
  await using server = await next;
  assert.equal(await findRunningDatabase(dataDir), server.connectionString);
});

test('of several starts at once one gets the folder', async () => {
  const starts = await Promise.allSettled([start(), start(), start()]);
  const up = starts.filter((result) => result.status === 'fulfilled');
  assert.equal(up.length, 1);
  const refusals = starts.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  for (const refusal of refusals) {
    assert.match(refusal, /already in use by a running Oja/);
  }
  await up[0]?.value.stop();
});

test('the server does not outlive a killed Oja, and the next start finds the way clear', async (t) => {
  const { host, pid, connectionString } = await startHost(t);
  await using database = open({ connectionString });
  await database.query('create table if not exists kept as select 1 as id');
  await killed(host);
  if (process.platform === 'linux') {
    await eventually(async () => assert.equal(await birthOf(pid), undefined), 'the server has gone');
  } else {
    t.diagnostic('no death signal here: the next start stops the server');
  }
  await using server = await start();
  await using again = open(server);
  assert.deepEqual(await again.query('select id from kept'), [{ id: 1 }]);
});

test('killed together with its server under load, with a child that does not notice, it starts again', async (t) => {
  const { host, pid, connectionString } = await startHost(t);
  await using database = open({ connectionString });
  const busy = database
    .query(`do $$ begin while clock_timestamp() < now() + interval '20s' loop end loop; end $$`)
    .catch((error: unknown) => error);
  await eventually(async () => {
    const rows = await database.query(
      `select from pg_stat_activity where query like 'do %' and state = 'active'`,
    );
    assert.equal(rows.length, 1);
  }, 'the child is busy');
  process.kill(pid, 'SIGKILL');
  await killed(host);
  await using server = await start();
  assert.ok((await busy) instanceof Error);
  await using again = open(server);
  assert.deepEqual(await again.query('select 1 as one'), [{ one: 1 }]);
});

test('a server that nobody watches is stopped by the next start', async (t) => {
  await (await start()).stop();
  const user = await chooseServerUser(clusterDir);
  const binDir = await findBinaries(join(dataDir, 'postgres'), user);
  const args = ['-D', clusterDir, '-c', 'listen_addresses=', '-c', 'unix_socket_directories=.'];
  const stray = spawn(join(binDir, 'postgres'), args, { ...user, cwd: clusterDir, stdio: 'ignore' });
  t.after(() => stray.kill('SIGKILL'));
  const gone = once(stray, 'exit');
  await eventually(
    async () => assert.match(await readFile(join(clusterDir, 'postmaster.pid'), 'utf8'), /ready/),
    'the stray server is up',
  );
  await using _server = await start();
  assert.deepEqual(await gone, [0, null], 'stopped, not killed');
});

test('a server that dies comes back on the same socket, and the pool heals', async () => {
  await using server = await start();
  await using database = open(server);
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    await database.query('select 1');
    const pid = kill(server, signal);
    await eventually(async () => assert.ok(![undefined, pid].includes(server.pid)), 'another server is up');
    assert.deepEqual(await eventually(() => database.query('select 2 as two'), 'the pool heals'), [
      { two: 2 },
    ]);
  }
});

test('a stop while the server is coming back leaves nothing behind', async () => {
  const noticed = Promise.withResolvers<void>();
  const log = { info: () => undefined, warn: () => noticed.resolve() };
  const server = await startEmbeddedPostgres({ dataDir, durable: false, log });
  kill(server, 'SIGKILL');
  await noticed.promise; // The next server is started within milliseconds of this, so no looking at `pid` would do.
  await server.stop();
  await assert.rejects(access(join(clusterDir, 'postmaster.pid')), { code: 'ENOENT' });
  await using _again = await start();
});

test('a lock whose holder is gone is stale, even if its process id lives on', async (t) => {
  const lock = join(dataDir, 'oja.lock');
  const { host } = await startHost(t);
  const held = JSON.parse(await readFile(lock, 'utf8')) as object;
  await killed(host);
  for (const stale of [
    JSON.stringify(held),
    JSON.stringify({ ...held, pid: process.pid }),
    '',
    'not a lock',
  ]) {
    await writeFile(lock, stale);
    await using server = await start();
    assert.equal(await findRunningDatabase(dataDir), server.connectionString);
  }
  await writeFile(lock, JSON.stringify({ ...held, pid: process.pid, birth: await birthOf(process.pid) }));
  await assert.rejects(start(), /already in use by a running Oja/);
  await writeFile(lock, '');
});

test('a holder in another container, where ids mean nothing, is known by its heartbeat', async (t) => {
  const lock = join(dataDir, 'oja.lock');
  await writeFile(lock, JSON.stringify({ pid: 1, birth: 'x', space: 'elsewhere', token: 'x' }));
  const heartbeat = setInterval(() => utimesSync(lock, new Date(), new Date()), 50);
  t.after(() => clearInterval(heartbeat));
  await assert.rejects(start(), /already in use by a running Oja \(pid 1\)/);
  clearInterval(heartbeat);
  await writeFile(lock, '');
});

test('a folder whose path is too long for a socket works, each with a socket of its own', async () => {
  const dirs = ['a', 'b'].map((name) => join(folder, 'l'.repeat(100), name));
  const [a, b] = await Promise.all(dirs.map((dir) => start(dir)));
  assert.ok(a && b);
  assert.notEqual(a.connectionString, b.connectionString);
  for (const server of [a, b]) {
    await using database = open(server);
    assert.deepEqual(await database.query('select 1 as one'), [{ one: 1 }]);
  }
  const socketDir = new URL(a.connectionString).searchParams.get('host') ?? '';
  await Promise.all([a.stop(), b.stop()]);
  await assert.rejects(access(socketDir), { code: 'ENOENT' });
});

test('root may keep the data in a folder that is closed to the server', { skip: !isRoot }, async () => {
  const closed = join(folder, 'closed');
  await mkdir(closed, { mode: 0o700 });
  const dir = join(closed, 'data');
  for (const expected of [0, 1]) {
    await using server = await start(dir);
    await using database = open(server);
    await database.query('create table if not exists things (id bigint)');
    assert.equal((await database.query('select id from things')).length, expected);
    await database.query('insert into things (id) values (1)');
    await database.query('select pg_reload_conf()');
    await database.query('checkpoint');
  }
});

test('programs that the server cannot reach, or that lack their links, are copied once', {
  skip: !isRoot,
}, async () => {
  const closed = join(folder, 'closed-programs');
  await mkdir(closed, { mode: 0o700 });
  const user = await chooseServerUser(join(folder, 'none'));
  const native = join(closed, 'native');
  const open = await findBinaries(folder, user);
  await copyWithoutLinks(join(open, '..'), native);
  const copy = await findBinaries(folder, user, { native, label: 'copied' });
  assert.equal(copy, join(folder, 'oja-postgresql-copied', 'bin'));
  const made = (await stat(copy)).birthtimeMs;
  assert.equal(await findBinaries(folder, user, { native, label: 'copied' }), copy);
  assert.equal((await stat(copy)).birthtimeMs, made);

  const planted = join(folder, 'oja-postgresql-planted');
  await cp(join(copy, '..'), planted, { recursive: true, verbatimSymlinks: true });
  await chown(planted, 12_345, 12_345);
  const elsewhere = await findBinaries(folder, user, { native, label: 'planted' });
  assert.notEqual(elsewhere, join(planted, 'bin'));
  cleanUpAfter(join(elsewhere, '..'));
});

async function copyWithoutLinks(source: string, target: string): Promise<void> {
  const copy = spawn('sh', ['-c', 'cp -r "$1" "$2" && find "$2" -type l -delete', 'sh', source, target]);
  assert.deepEqual(await once(copy, 'exit'), [0, null]);
}

test('a folder of another major version, or that cannot be written, is refused with the reason', async () => {
  const dir = join(folder, 'old');
  const cluster = join(dir, 'postgres', 'cluster');
  await mkdir(cluster, { recursive: true });
  await writeFile(join(cluster, 'PG_VERSION'), '17\n');
  await assert.rejects(start(dir), /was made by PostgreSQL 17; this is PostgreSQL 18/);
  await assert.rejects(access(join(dir, 'oja.lock')), { code: 'ENOENT' });
  await assert.rejects(
    startEmbeddedPostgres({ dataDir, settings: { max_connections: 'many' } }),
    /PostgreSQL did not start: invalid value for parameter "max_connections": "many" \(see .*server\.log\)/,
  );
  await using _server = await start();
});
