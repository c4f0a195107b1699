/**
 * Two real servers, one the standby of the other, behind one DATABASE_URL: the primary is found, a
 * promotion is followed, and the primary of before is not gone back to.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { isConnectionLost, isUnavailable } from '../../src/db/database-errors.ts';
import { type EmbeddedServer, startEmbeddedServer } from '../../src/db/embedded-server.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { freezeTree } from '../support/processes.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const settings = (name: string) => ({ shared_buffers: '16MB', max_connections: '40', cluster_name: name });
const running = new AsyncDisposableStack();
let first: EmbeddedServer;
let second: EmbeddedServer;

before(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oja-two-servers-'));
  cleanUpAfter(folder);
  await chmod(folder, 0o755); // The servers run as another user when the tests run as root.
  running.defer(() => rm(folder, { recursive: true, force: true }));
  const [dataDir, copyDir] = [join(folder, 'first'), join(folder, 'second')];
  const maker = await startEmbeddedServer({ dataDir, durable: false, settings: settings('maker') });
  await using filled = open(maker.connectionString);
  await filled.query('create table things (id bigint primary key)');
  await filled[Symbol.asyncDispose]();
  await maker.stop();
  const cluster = join('postgres', 'cluster');
  await cp(join(dataDir, cluster), join(copyDir, cluster), { recursive: true, preserveTimestamps: true });
  await copyOwners(join(dataDir, cluster), join(copyDir, cluster));
  await writeFile(join(copyDir, cluster, 'standby.signal'), '');
  first = running.use(await startEmbeddedServer({ dataDir, durable: false, settings: settings('first') }));
  second = running.use(
    await startEmbeddedServer({ dataDir: copyDir, durable: false, settings: settings('second') }),
  );
});

after(() => running.disposeAsync());

/** The copy belongs to whoever runs the servers. */
async function copyOwners(from: string, to: string): Promise<void> {
  if (process.getuid?.() === 0) await run('chown', ['-R', `--reference=${from}`, to]);
  await chmod(to, 0o700);
}

function open(connectionString: string): Database {
  return openDatabase({
    connectionString,
    connectionsMax: 3,
    applicationName: 'oja two servers',
    statementTimeoutMs: 30_000,
    onPoolError: () => undefined,
  });
}

type Place = { readonly host: string; readonly port: string };

function placeOf(server: EmbeddedServer): Place & { readonly user: string } {
  const { searchParams } = new URL(server.connectionString);
  const read = (name: string): string => searchParams.get(name) ?? '';
  return { host: read('host'), port: read('port') || '5432', user: read('user') };
}

function listOf(...places: readonly Place[]): string {
  const hosts = places.map(({ host }) => host).join(',');
  const ports = places.map(({ port }) => port).join(',');
  const { user } = placeOf(first);
  return `postgresql:///oja?host=${hosts}&port=${ports}&user=${user}&target_session_attrs=read-write`;
}

async function nameOf(database: Database): Promise<unknown> {
  const [row] = await database.query<{ name: string }>(`select current_setting('cluster_name') as name`);
  return row?.name;
}

const closed = { host: '127.0.0.1', port: '9' };

test('the primary is found behind servers that are standbys, closed or silent', async () => {
  const silent = createServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const mute = { host: '127.0.0.1', port: String((silent.address() as AddressInfo).port) };
  for (const places of [
    [placeOf(first), placeOf(second)],
    [placeOf(second), placeOf(first)],
    [closed, placeOf(second), placeOf(first)],
    [mute, placeOf(first)],
  ]) {
    await using database = open(listOf(...places));
    const found = await Promise.all([1, 2, 3].map(() => nameOf(database)));
    assert.deepEqual(found, ['first', 'first', 'first']);
  }
  silent.close();
});

test('where none takes writes, the error says of each server why', async () => {
  await using database = open(listOf(closed, placeOf(second)));
  await assert.rejects(
    database.query('select 1'),
    (error) => isUnavailable(error) && /127\.0\.0\.1:9 connect ECONNREFUSED.*\bstandby\b/.test(String(error)),
  );
});

test('one server alone is taken as it is, unless it is asked to take writes', async () => {
  await using plain = open(second.connectionString);
  assert.deepEqual(await plain.query('select pg_is_in_recovery() as standby'), [{ standby: true }]);
  await using choosy = open(listOf(placeOf(second)));
  await assert.rejects(
    choosy.query('select 1'),
    (error) => isUnavailable(error) && /\bstandby\b/.test(String(error)),
  );
});

test('a promotion is followed at once, and a primary that was frozen meanwhile is not gone back to', async () => {
  await using plain = open(second.connectionString);
  const list = listOf(placeOf(first), placeOf(second));
  await using database = open(list);
  const events: string[] = [];
  await using _listener = database.listen('channel', {
    onNotice: (payload) => events.push(payload),
    onUp: () => events.push('up'),
    onDown: () => events.push('down'),
  });
  assert.equal(await nameOf(database), 'first');
  await until('it listens', () => events.includes('up'));
  const waiting = database.query('insert into things select 1 from pg_sleep(20)');
  const lost = assert.rejects(waiting, isConnectionLost);
  await until('the statement runs', async () => {
    await using watcher = open(first.connectionString);
    return (
      (
        await watcher.query(
          `select from pg_stat_activity where query like '%pg_sleep(20)' and state = 'active' and pid <> pg_backend_pid()`,
        )
      ).length > 0
    );
  });

  {
    using _frozen = freezeTree(first.pid ?? assert.fail('the first server does not run'));
    await plain.query('select pg_promote()');
    // Whoever needs a new connection finds the new primary. Nobody waits for the frozen one then.
    await until('a connection to the new primary', async () => {
      const found = await Promise.all([1, 2].map(() => nameOf(database).catch(() => undefined)));
      return found.every((name) => name === 'second');
    });
    await lost;
    await until('it listens there', () => events.filter((event) => event === 'up').length > 1);
  }
  await until('the frozen server answers again', async () => {
    await using old = open(first.connectionString);
    return (await nameOf(old).catch(() => undefined)) === 'first';
  });
  // More than a server that failed is left alone for, by connections of their own.
  for (let round = 0; round < 3; round += 1) {
    const names = await Promise.all([1, 2, 3].map(() => nameOf(database)));
    assert.deepEqual(names, ['second', 'second', 'second']);
  }
  await plain.query(`select pg_notify('channel', 'news')`);
  await until('news of the new primary', () => events.includes('news'));
  assert.deepEqual(await database.query('select id from things'), []);
});
