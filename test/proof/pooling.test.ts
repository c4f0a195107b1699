/** PgBouncer between Oja and its server: session mode works, the others are refused. */
import assert from 'node:assert/strict';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findProgram } from '../../lab/failover/programs.ts';
import { type PgbouncerTarget, startPgbouncer } from '../../lab/failover/routers.ts';
import { checkPooling } from '../../src/db/check-pooling.ts';
import { openDatabase } from '../../src/db/database.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { createTestDatabase } from '../support/database.ts';
import { runGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

const skip = findProgram('pgbouncer') === undefined && 'pgbouncer is not installed';

/** A database behind PgBouncer, and its URL through that. */
async function poolOf(
  { connectionString }: { readonly connectionString: string },
  mode: PgbouncerTarget['mode'],
  settings: Readonly<Record<string, string>> = {},
): Promise<AsyncDisposable & { readonly url: string; readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-pooling-'));
  cleanUpAfter(folder);
  await chmod(folder, 0o755); // It runs as another user when the tests run as root.
  const { pathname, searchParams } = new URL(connectionString);
  const target = `host=${searchParams.get('host')} port=${searchParams.get('port')} user=${searchParams.get('user')}`;
  const router = await startPgbouncer(folder, { mode, target, settings });
  return {
    url: `postgresql://${searchParams.get('user')}@127.0.0.1:${router.port}${pathname}?sslmode=disable`,
    folder,
    [Symbol.asyncDispose]: () => router[Symbol.asyncDispose](),
  };
}

describe('a pooler', { skip }, () => {
  it('accepts a pooler that keeps a connection for a session, with timeouts and notices', async () => {
    await using clone = await createTestDatabase({ empty: true });
    await using pool = await poolOf(clone, 'session');
    assert.deepEqual(
      [await checkPooling(clone.connectionString), await checkPooling(pool.url)],
      ['none', 'own'],
    );
    await using database = openDatabase({
      connectionString: pool.url,
      connectionsMax: 2,
      applicationName: 'oja pooling',
      statementTimeoutMs: 4_000,
      lockTimeoutMs: 3_000,
      onPoolError: () => undefined,
    });
    const [row] = await database.query(`
      select
        current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle,
        current_setting('lock_timeout') as lock`);
    assert.deepEqual(row, { statement: '4s', idle: '4s', lock: '3s' });
    const heard: string[] = [];
    await using _listener = database.listen('channel', {
      onNotice: (payload) => heard.push(payload),
      onUp: () => heard.push('up'),
      onDown: () => heard.push('down'),
    });
    await until('it listens', () => heard.includes('up'));
    await database.query(`select pg_notify('channel', 'news')`);
    await until('the news', () => heard.includes('news'));
  });

  it('does not mistake a full pooler for another kind', async () => {
    await using clone = await createTestDatabase({ empty: true });
    await using pool = await poolOf(clone, 'session', { default_pool_size: '2' });
    assert.equal(await checkPooling(pool.url), 'own');
  });

  it('recognizes a pooler that shares connections, in whichever order it assigns them', async () => {
    await using clone = await createTestDatabase({ empty: true });
    for (const [mode, settings] of [
      ['transaction', {}],
      ['transaction', { server_round_robin: '1' }],
      ['transaction', { default_pool_size: '2' }],
      ['statement', {}],
    ] as const) {
      await using pool = await poolOf(clone, mode, settings);
      // Some connections to the server already exist.
      await using database = openDatabase({
        connectionString: pool.url,
        connectionsMax: 3,
        applicationName: 'oja pooling',
        onPoolError: () => undefined,
      });
      await Promise.all([1, 2, 3].map(() => database.query('select pg_sleep(0.05)')));
      assert.equal(await checkPooling(pool.url), 'shared', `${mode} ${JSON.stringify(settings)}`);
    }
  });

  it('refuses a pooler that shares connections at the start, in one line', async () => {
    await using clone = await createTestDatabase({ empty: true });
    await using pool = await poolOf(clone, 'transaction');
    await using gateway = runGateway({ DATABASE_URL: pool.url, OJA_DATA_DIR: pool.folder });
    assert.deepEqual(await gateway.exited, { code: 1, signal: null });
    const said = gateway
      .output()
      .split('\n')
      .filter((line) => line.includes('cannot start'));
    assert.equal(said.length, 1);
    assert.match(String(said), /^oja cannot start \(connections_shared\): /);
    assert.deepEqual(await clone.database.query(`select from pg_class where relname = 'purchases'`), []);
  });
});
