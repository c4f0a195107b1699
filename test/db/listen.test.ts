/** Notices of the database reach their listener, even after its connection was lost. */
import assert from 'node:assert/strict';
import { EventEmitter, on } from 'node:events';
import { test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { openDatabaseProxy } from '../crash/database-proxy.ts';
import { createTestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

/** Ends a wait for a call that never comes. */
const HANG_MS = 120_000;

/** A listener's calls, in order, to be awaited one by one. */
function recorder() {
  const emitter = new EventEmitter();
  const calls = on(emitter, 'call', { signal: AbortSignal.timeout(HANG_MS) });
  const record = (call: string): void => void emitter.emit('call', call);
  return {
    handlers: {
      onNotice: (payload: string) => record(`notice ${payload}`),
      onUp: () => record('up'),
      onDown: () => record('down'),
    },
    async next(): Promise<unknown> {
      const { value } = await calls.next();
      return value?.[0];
    },
  };
}

test('notices reach the listener of their channel, and no other', async () => {
  await using clone = await createTestDatabase({ empty: true });
  const { handlers, next } = recorder();
  await using _listener = clone.database.listen('Odd "channel', handlers);
  assert.equal(await next(), 'up');
  await clone.database.query('select pg_notify($1, $2)', ['other', 'not for us']);
  await clone.database.query('select pg_notify($1, $2)', ['Odd "channel', 'hello']);
  assert.equal(await next(), 'notice hello');
});

test('reports a lost connection, reconnects and receives notices again', async () => {
  await using clone = await createTestDatabase({ empty: true });
  const { handlers, next } = recorder();
  await using _listener = clone.database.listen('channel', handlers);
  assert.equal(await next(), 'up');
  // It may have sent a keep-alive query since.
  await clone.database.query(
    `select pg_terminate_backend(pid)
     from pg_stat_activity
     where pid <> pg_backend_pid() and datname = current_database()`,
  );
  assert.equal(await next(), 'down');
  assert.equal(await next(), 'up');
  await clone.database.query('select pg_notify($1, $2)', ['channel', 'again']);
  assert.equal(await next(), 'notice again');
});

test('receives nothing after disposal, and leaves no connection', async () => {
  await using clone = await createTestDatabase({ empty: true });
  const calls: string[] = [];
  const up = Promise.withResolvers<void>();
  const listener = clone.database.listen('channel', {
    onNotice: (payload) => calls.push(payload),
    onUp: () => up.resolve(),
    onDown: () => calls.push('down'),
  });
  await up.promise;
  await listener[Symbol.asyncDispose]();
  await clone.database.query('select pg_notify($1, $2)', ['channel', 'too late']);
  await until('no connection is left', async () => {
    const rows = await clone.database.query(
      `select pid
       from pg_stat_activity
       where query = 'listen "channel"' and datname = current_database()`,
    );
    return rows.length === 0;
  });
  assert.deepEqual(calls, []);
});

test('a silent connection is noticed in seconds, and replaced', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using proxy = await openDatabaseProxy(clone.connectionString);
  await using database = openDatabase({
    connectionString: proxy.connectionString,
    connectionsMax: 1,
    applicationName: 'oja test',
    onPoolError: () => undefined,
  });
  const { handlers, next } = recorder();
  await using _listener = database.listen('channel', handlers);
  assert.equal(await next(), 'up');
  proxy.swallow();
  await clone.database.query('select pg_notify($1, $2)', ['channel', 'into the void']);
  assert.equal(await next(), 'down');
  assert.equal(await next(), 'up');
  await clone.database.query('select pg_notify($1, $2)', ['channel', 'again']);
  assert.equal(await next(), 'notice again');
});

test('a listener whose connection is dead ends', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using proxy = await openDatabaseProxy(clone.connectionString);
  await using database = openDatabase({
    connectionString: proxy.connectionString,
    connectionsMax: 1,
    applicationName: 'oja test',
    onPoolError: () => undefined,
  });
  const { handlers, next } = recorder();
  const listener = database.listen('channel', handlers);
  assert.equal(await next(), 'up');
  proxy.swallow();
  await listener[Symbol.asyncDispose]();
});
