/**
 * A commit that waits for its synchronous standby. A commit that may be missing there is not
 * reported as stored, and is not stored a second time.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase, type Sql } from '../../src/db/database.ts';
import { isConnectionLost } from '../../src/db/database-errors.ts';
import { templateName, withDatabaseName } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { testCells } from '../support/test-cells.ts';
import { startTestCluster } from '../support/test-cluster.ts';
import { until } from '../support/until.ts';

describe('a commit that waits for its synchronous standby', () => {
  const stack = new AsyncDisposableStack();
  let operator: Database;
  let databaseUrl: string;

  before(async () => {
    const cluster = await startTestCluster();
    stack.defer(() => cluster.stop());
    operator = stack.use(open(cluster.connectionString));
    await operator.query(`create database shop template ${templateName(testCells)}`);
    // Clusters of tests are not durable.
    await operator.query('alter database shop set synchronous_commit = on');
    databaseUrl = withDatabaseName(cluster.connectionString, 'shop');
  });
  beforeEach(() => setStandby(''));
  after(async () => {
    await setStandby('');
    await stack.disposeAsync();
  });

  function open(connectionString: string): Database {
    return openDatabase({
      connectionString,
      connectionsMax: 4,
      applicationName: 'oja test',
      onPoolError: () => undefined,
      statementTimeoutMs: 30_000,
    });
  }

  /** Commits wait for a standby of that name, which does not exist. An empty name means no wait. */
  async function setStandby(name: string): Promise<void> {
    await operator.query(`alter system set synchronous_standby_names = '${name}'`);
    await operator.query('select pg_reload_conf()');
    if (name === '') return;
    await using probe = open(databaseUrl);
    await until('it is heeded', async () => {
      const committed = probe.query("select pg_logical_emit_message(true, 'probe', '')");
      return await givenUp(committed).then(() => false, isConnectionLost);
    });
  }

  /** The result of a waiting commit whose wait is cancelled. */
  async function givenUp<T>(committed: Promise<T>): Promise<T> {
    const done = { yet: false };
    const ended = committed.finally(() => {
      done.yet = true;
    });
    ended.catch(() => undefined);
    await until('it ends or waits', async () => done.yet || (await giveUpWaits()) > 0);
    return await ended;
  }

  /** Cancels the commits that wait for the standby, as an operator or a timeout does. */
  async function giveUpWaits(): Promise<number> {
    const rows = await operator.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and datname = 'shop'`,
    );
    return rows.length;
  }

  it('a commit that is given up has an unknown outcome, also in a transaction', async () => {
    await using database = open(databaseUrl);
    await database.query('create table notes (id integer)');
    await setStandby('nobody');
    const insert = (id: number, sql: Sql): Promise<unknown> =>
      sql.query('insert into notes (id) values ($1)', [id]);
    await assert.rejects(givenUp(insert(1, database)), isConnectionLost);
    await assert.rejects(givenUp(database.transaction((tx) => insert(2, tx))), isConnectionLost);
    assert.deepEqual(await database.query('select id from notes order by id'), [{ id: 1 }, { id: 2 }]);
    await setStandby('');
    await database.query('insert into notes (id) values (3)');
  });

  it('reports a purchase only after the standby has it, and buys it once', async () => {
    await using gateway = await startGateway({ databaseUrl });
    const body = { merchant: 'DEMO', msisdn: '08031234567', network: 'mtn', amount: '100' };
    for (const mode of ['sync', 'async']) {
      const request_ref = `waiting-${mode}`;
      await setStandby('nobody');
      const told = { done: false };
      const answer = buy(gateway, mode, { ...body, request_ref }).finally(() => {
        told.done = true;
      });
      for (let round = 0; round < 3; round += 1) {
        await until('it waits', async () => (await giveUpWaits()) > 0);
        await sleep(200);
      }
      assert.equal(told.done, false, 'nothing is told of it');
      await setStandby('');
      const { status, body: said } = await answer;
      assert.equal(status, 200);
      assert.equal(said.status, mode === 'sync' ? 'success' : 'pending');
      await until('it is delivered', async () => {
        const state = await gateway.call('GET', `/v1/transactions/status?request_ref=${request_ref}`, {
          as: 'live',
        });
        return state.body.state === 'success';
      });
    }
    const books = await (await fetch(`${gateway.simulatorUrl}/books`)).text();
    assert.equal(books.trim().split('\n').length, 2);
  });

  function buy(gateway: Gateway, mode: string, body: object): ReturnType<Gateway['call']> {
    return gateway.call('POST', `/v1/transactions/airtime/${mode}`, { as: 'live', body });
  }
});
