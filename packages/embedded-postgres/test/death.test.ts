/** The program, the server or both are killed at any moment. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@oja/embedded-postgres';
import { findBinaries } from '../src/find-binaries.ts';
import { birthOf } from '../src/process-identity.ts';
import { chooseServerUser } from '../src/server-user.ts';
import { open } from './support/client.ts';
import { eventually } from './support/eventually.ts';
import { clusterIn, startIn, temporaryFolder } from './support/folder.ts';
import { killed, startHost } from './support/start-host.ts';

const dataDir = await temporaryFolder();
const clusterDir = clusterIn(dataDir);

/** Signals the server directly, not through this package. Returns its process id. */
function kill(server: EmbeddedPostgres, signal: NodeJS.Signals): number {
  assert.ok(server.pid);
  process.kill(server.pid, signal);
  return server.pid;
}

test('the server does not outlive a killed program, and the next start finds the way clear', async (t) => {
  const { host, pid, connectionString } = await startHost(t, dataDir);
  await using client = open({ connectionString });
  await client.query('create table if not exists kept as select 1 as id');
  await killed(host);
  if (process.platform === 'linux') {
    await eventually(async () => assert.equal(await birthOf(pid), undefined), 'the server has gone');
  } else {
    t.diagnostic('no death signal here: the next start stops the server');
  }
  await using server = await startIn(dataDir);
  await using again = open(server);
  assert.deepEqual(await again.query('select id from kept'), [{ id: 1 }]);
});

test('killed together with its server under load, with a child that does not notice, it starts again', async (t) => {
  const { host, pid, connectionString } = await startHost(t, dataDir);
  await using client = open({ connectionString });
  const busy = client
    .query(`do $$ begin while clock_timestamp() < now() + interval '20s' loop end loop; end $$`)
    .catch((error: unknown) => error);
  await eventually(async () => {
    const rows = await client.query(
      `select from pg_stat_activity where query like 'do %' and state = 'active'`,
    );
    assert.equal(rows.length, 1);
  }, 'the child is busy');
  process.kill(pid, 'SIGKILL');
  await killed(host);
  await using server = await startIn(dataDir);
  assert.ok((await busy) instanceof Error);
  await using again = open(server);
  assert.deepEqual(await again.query('select 1 as one'), [{ one: 1 }]);
});

test('a server that nobody watches is stopped by the next start', async (t) => {
  await (await startIn(dataDir)).stop();
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
  await using _server = await startIn(dataDir);
  assert.deepEqual(await gone, [0, null], 'stopped, not killed');
});

test('a server that dies comes back on the same socket, and the pool heals', async () => {
  await using server = await startIn(dataDir);
  await using client = open(server);
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    await client.query('select 1');
    const pid = kill(server, signal);
    await eventually(async () => assert.ok(![undefined, pid].includes(server.pid)), 'another server is up');
    assert.deepEqual(await eventually(() => client.query('select 2 as two'), 'the pool heals'), [{ two: 2 }]);
  }
});

test('a stop while the server is coming back leaves nothing behind', async () => {
  const noticed = Promise.withResolvers<void>();
  const log = { info: () => undefined, warn: () => noticed.resolve() };
  const server = await startEmbeddedPostgres({ dataDir, durable: false, log });
  kill(server, 'SIGKILL');
  // The next server starts within milliseconds, so reading `pid` later would be too late.
  await noticed.promise;
  await server.stop();
  await assert.rejects(access(join(clusterDir, 'postmaster.pid')), { code: 'ENOENT' });
  await using _again = await startIn(dataDir);
});
