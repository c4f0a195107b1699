/**
 * A silent connection that was not closed is ended soon after. A connection whose server is working
 * stays open, however long that takes.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { isConnectionLost, isUnavailable } from '../../src/db/database-errors.ts';
import { openDatabaseProxy } from '../crash/database-proxy.ts';
import { createTestDatabase } from '../support/database.ts';

/** Long enough for more than one check. */
const SLOW_S = 6;

function open(connectionString: string): Database {
  return openDatabase({
    connectionString,
    connectionsMax: 2,
    applicationName: 'oja test',
    statementTimeoutMs: 30_000,
    watchSilence: true,
    onPoolError: () => undefined,
  });
}

describe('a connection that falls silent', { concurrency: true }, () => {
  it('ends a silent connection, also in a transaction, and the next one works', async () => {
    await using stack = new AsyncDisposableStack();
    const { connectionString } = stack.use(await createTestDatabase({ empty: true }));
    const proxy = stack.use(await openDatabaseProxy(connectionString));
    const database = stack.use(open(proxy.connectionString));
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const transaction = database.transaction(async (tx) => {
      await tx.query('select 1');
      begun.resolve();
      await goOn.promise;
      await tx.query('select 2');
    });
    transaction.catch(() => undefined);
    await begun.promise;
    await database.query('select 1');
    proxy.swallow();
    goOn.resolve();
    const statement = database.query('select 3');
    await Promise.all([
      assert.rejects(statement, (error: Error) => isConnectionLost(error)),
      assert.rejects(transaction, (error: Error) => isConnectionLost(error) || isUnavailable(error)),
    ]);
    assert.deepEqual(await database.query('select 4 as four'), [{ four: 4 }]);
  });

  it('keeps a connection whose server is working, or waits for a lock', async () => {
    await using stack = new AsyncDisposableStack();
    const { connectionString } = stack.use(await createTestDatabase({ empty: true }));
    const database = stack.use(open(connectionString));
    await database.query('create table notes (id integer)');
    const holder = database.transaction(async (tx) => {
      await tx.query('lock table notes');
      // No query is sent meanwhile, so the connection waits for no answer.
      await sleep(SLOW_S * 500);
      await tx.query('select pg_sleep($1)', [SLOW_S / 2]);
    });
    await sleep(100);
    assert.deepEqual(await database.query('select count(*)::integer as count from notes'), [{ count: 0 }]);
    await holder;
  });
});
