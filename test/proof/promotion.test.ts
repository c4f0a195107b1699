/**
 * Two real servers, one the standby of the other, behind one address that leads to the primary,
 * like HAProxy's. A promotion is followed, and the old primary is detected when the address leads
 * back to it.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createLog } from '../../src/core/log.ts';
import { type Database, openDatabase, type Sql } from '../../src/db/database.ts';
import { isConnectionLost, isUnavailable } from '../../src/db/database-errors.ts';
import { type EmbeddedServer, startEmbeddedServer } from '../../src/db/embedded-server.ts';
import { migrate } from '../../src/db/migrate.ts';
import { LastAccepted } from '../../src/operate/restore-lock/last-accepted.ts';
import { checkRewind, RewindDetector } from '../../src/operate/restore-lock/rewind-detector.ts';
import { findRestoreLock } from '../../src/purchases/engine/restore-lock-store.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { freezeTree } from '../support/processes.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const settings = (name: string) => ({ shared_buffers: '16MB', max_connections: '40', cluster_name: name });
const running = new AsyncDisposableStack();
let first: EmbeddedServer;
let second: EmbeddedServer;
let seenDir: string;
let relay: Relay;

before(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oja-two-servers-'));
  cleanUpAfter(folder);
  await chmod(folder, 0o755); // The servers run as another user when the tests run as root.
  running.defer(() => rm(folder, { recursive: true, force: true }));
  const [dataDir, copyDir] = [join(folder, 'first'), join(folder, 'second')];
  const maker = await startEmbeddedServer({ dataDir, durable: false, settings: settings('maker') });
  await using filled = open(maker.connectionString);
  await migrate(filled);
  await filled.query('create table things (id bigint primary key)');
  seenDir = await mkdtemp(join(folder, 'seen-'));
  await checkRewind(filled, seenDir);
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
  relay = running.use(await openRelay(first));
});

after(() => running.disposeAsync());

/** The copy belongs to the user who runs the servers. */
async function copyOwners(from: string, to: string): Promise<void> {
  if (process.getuid?.() === 0) await run('chown', ['-R', `--reference=${from}`, to]);
  await chmod(to, 0o700);
}

type Relay = AsyncDisposable & {
  readonly url: string;
  /** Ends the earlier sessions, like `on-marked-down shutdown-sessions`. */
  turnTo(server: EmbeddedServer): void;
};

async function openRelay(primary: EmbeddedServer): Promise<Relay> {
  const sockets = new Set<Socket>();
  let target = socketOf(primary);
  const server = createServer((near) => {
    const far = connect(target);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    for (const socket of [...sockets]) socket.destroy();
  };
  const user = new URL(primary.connectionString).searchParams.get('user');
  return {
    url: `postgresql://${user}@127.0.0.1:${(server.address() as AddressInfo).port}/oja`,
    turnTo: (next) => {
      target = socketOf(next);
      close();
    },
    async [Symbol.asyncDispose]() {
      close();
      server.close();
      await once(server, 'close');
    },
  };
}

function socketOf({ connectionString }: EmbeddedServer): string {
  const { searchParams } = new URL(connectionString);
  return join(searchParams.get('host') ?? '', `.s.PGSQL.${searchParams.get('port') || '5432'}`);
}

function open(connectionString: string, onConnect?: (sql: Sql) => Promise<void>): Database {
  return openDatabase({
    connectionString,
    connectionsMax: 3,
    applicationName: 'oja two servers',
    statementTimeoutMs: 30_000,
    onPoolError: () => undefined,
    ...(onConnect && { onConnect }),
  });
}

async function nameOf(database: Sql): Promise<unknown> {
  const [row] = await database.query<{ name: string }>(`select current_setting('cluster_name') as name`);
  return row?.name;
}

async function countInserts(): Promise<number> {
  await using watcher = open(first.connectionString);
  const found = await watcher.query(
    `select from pg_stat_activity where query like '%pg_sleep(20)' and state = 'active' and pid <> pg_backend_pid()`,
  );
  return found.length;
}

describe('servers behind one address', () => {
  it('stores nothing while the address leads to a standby', async () => {
    await using standby = open(second.connectionString);
    assert.equal(await nameOf(standby), 'second');
    await assert.rejects(
      standby.transaction((tx) => tx.query('insert into things values (1)')),
      isUnavailable,
    );
  });

  it('follows a promotion, and reports the statement that waited for the old primary as unknown', async () => {
    await using plain = open(second.connectionString);
    await using database = open(relay.url);
    const events: string[] = [];
    await using _listener = database.listen('channel', {
      onNotice: (payload) => events.push(payload),
      onUp: () => events.push('up'),
      onDown: () => events.push('down'),
    });
    assert.equal(await nameOf(database), 'first');
    await until('it listens', () => events.includes('up'));
    const lost = assert.rejects(
      database.query('insert into things select 1 from pg_sleep(20)'),
      isConnectionLost,
    );
    await until('the statement runs', async () => (await countInserts()) > 0);
    {
      using _frozen = freezeTree(first.pid ?? assert.fail('the first server does not run'));
      await plain.query('select pg_promote()');
      relay.turnTo(second);
      await lost;
      await until('a connection to the new primary', async () => {
        const found = await Promise.all([1, 2].map(() => nameOf(database).catch(() => undefined)));
        return found.every((name) => name === 'second');
      });
      await until('it listens there', () => events.filter((event) => event === 'up').length > 1);
    }
    await plain.query(`select pg_notify('channel', 'news')`);
    await until('news of the new primary', () => events.includes('news'));
    assert.deepEqual(await database.query('select id from things'), []);
    await database.query('insert into things values (2)');
    assert.deepEqual(await plain.query('select id from things'), [{ id: 2n }]);
  });

  it('detects each connection that leads back to the old primary, and no other', async () => {
    const behind: boolean[] = [];
    const watching: RewindDetector[] = [];
    await using database = open(relay.url, async (sql) => {
      for (const watch of watching) behind.push(await watch.isBehindOn(sql));
    });
    const watch = new RewindDetector(database, seenDir, createLog('silent'), new LastAccepted());
    await until('it makes a beat on the new primary', async () => {
      await watch.look();
      return (await readdir(join(seenDir, 'database-seen'))).length > 0;
    });
    watching.push(watch);
    relay.turnTo(second);
    await until('a new connection', async () => (await nameOf(database).catch(() => undefined)) === 'second');
    assert.ok(behind.length > 0);
    assert.ok(!behind.includes(true));
    behind.length = 0;
    relay.turnTo(first);
    await until('the old primary', async () => (await nameOf(database).catch(() => undefined)) === 'first');
    assert.ok(behind.length > 0);
    assert.ok(!behind.includes(false));
    relay.turnTo(second);
    await until('the new one', async () => (await nameOf(database).catch(() => undefined)) === 'second');
    await watch.look();
    assert.equal(await findRestoreLock(database), undefined, 'the new primary lacks nothing');
  });
});
