/**
 * Answers to clients while the database is unavailable: they are true, and the gateway needs no
 * restart.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  anyProduct,
  assertRefused,
  eventually,
  newNumber,
  openGatewayUnderTest,
  statusOf,
  untilFinal,
  walletOf,
} from '../e2e/gateway-under-test.ts';
import { deliveriesTo, misbehave, release, untilHeld } from '../e2e/provider.ts';
import { withDatabaseName } from '../support/database.ts';

// Own gateway: its database is stopped.
const gateway = await openGatewayUnderTest();
const name = /\/(test_[0-9a-f]+)\?/.exec(gateway.databaseUrl)?.[1] ?? assert.fail(gateway.databaseUrl);

/** Blocks new connections while `work` runs, and ends existing ones. */
async function whileAway(work: () => Promise<void>): Promise<void> {
  await using administration = openDatabase({
    connectionString: withDatabaseName(gateway.databaseUrl.replace(`/${name}?`, '/oja?'), 'postgres'),
    connectionsMax: 1,
    applicationName: 'oja test',
    onPoolError: () => undefined,
  });
  await administration.query(`alter database ${name} with allow_connections false`);
  try {
    await administration.query(
      'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1',
      [name],
    );
    await work();
  } finally {
    await administration.query(`alter database ${name} with allow_connections true`);
  }
}

type DiskTrouble = 'disk_full' | 'io_error';

/**
 * Refuses writes to that table while `work` runs, as if PostgreSQL's disk failed. `refusals` counts
 * the refused writes.
 */
async function whileUnwritable(
  table: 'purchases' | 'purchase_outcomes',
  trouble: DiskTrouble,
  work: (refusals: () => Promise<number>) => Promise<void>,
): Promise<void> {
  await gateway.database.query(`
    -- A sequence keeps its count when its transaction is rolled back.
    create sequence refusals minvalue 0;
    select nextval('refusals');
    create function refuse_to_write() returns trigger language plpgsql as $$
    begin
      perform nextval('refusals');
      raise exception 'could not extend file "base/1/2"' using errcode = '${trouble}';
    end
    $$;
    create trigger unwritable before insert on ${table}
    -- Also of each partition.
    for each row execute function refuse_to_write()`);
  try {
    await work(async () => {
      const [row] = await gateway.database.query<{ count: string }>(
        'select last_value as count from refusals',
      );
      return Number(row?.count);
    });
  } finally {
    await gateway.database.query(`
      drop trigger unwritable on ${table};
      drop function refuse_to_write();
      drop sequence refusals`);
  }
}

async function untilHealthy(): Promise<void> {
  await eventually('it is healthy', async () =>
    (await gateway.call('GET', '/v1/healthz')).status === 200 ? true : undefined,
  );
}

describe('while the database is away', () => {
  it('health reports it, purchases are 503 and stored nowhere, and everything recovers by itself', async () => {
    const before = airtime();
    assert.equal((await gateway.call('POST', airtimeSync, { body: before })).body.response_code, '00');
    const tried = Array.from({ length: 10 }, () => airtime());
    await whileAway(async () => {
      const health = await gateway.call('GET', '/v1/healthz');
      assert.equal(health.status, 503);
      assert.equal(health.body.checks.database, 'down');
      for (const [index, body] of tried.entries()) {
        const path = index % 2 === 0 ? airtimeSync : airtimeAsync;
        const answer = await gateway.call('POST', path, { body });
        assertRefused(answer, 503);
        assert.match(String(answer.headers['retry-after']), /^[1-9][0-9]*$/);
      }
      for (const path of ['/v1/wallet/balance', anyProduct, '/v1/transactions/status?request_ref=x']) {
        assertRefused(await gateway.call('GET', path), 503);
      }
    });
    await untilHealthy();
    for (const { request_ref } of tried) assertRefused(await statusOf(gateway, request_ref), 404);
    for (const body of tried) {
      assert.equal((await gateway.call('POST', airtimeAsync, { body })).status, 200);
    }
    for (const { request_ref } of tried) {
      assert.equal((await untilFinal(gateway, request_ref)).body.code, '00');
    }
    assertRefused(await gateway.call('POST', airtimeSync, { body: before }), 422);
  });

  it('keeps a purchase that is with the provider: its answer waits for the database', async () => {
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'slow', recipient: msisdn, hold: true });
    const order = airtime({ msisdn });
    const running = gateway.call('POST', airtimeSync, { as: 'live', body: order });
    await untilHeld(gateway, msisdn);
    await whileAway(async () => {
      await release(gateway, msisdn);
      await eventually('it is delivered', async () =>
        (await deliveriesTo(gateway, msisdn)).length > 0 ? true : undefined,
      );
    });
    const answer = await running;
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.response_code, '00');
    await untilHealthy();
    assert.equal((await statusOf(gateway, order.request_ref, 'live')).body.code, '00');
    assert.equal((await deliveriesTo(gateway, msisdn)).length, 1);
    assert.equal((await walletOf(gateway, 'live')).held, '0.00');
  });

  for (const trouble of ['disk_full', 'io_error'] as const) {
    it(`purchases are 503 and stored nowhere while the database has ${trouble}`, async () => {
      const tried = [airtime(), airtime()];
      await whileUnwritable('purchases', trouble, async () => {
        for (const [index, body] of tried.entries()) {
          const path = index % 2 === 0 ? airtimeSync : airtimeAsync;
          assertRefused(await gateway.call('POST', path, { body }), 503);
        }
      });
      for (const body of tried) {
        assertRefused(await statusOf(gateway, body.request_ref), 404);
        const answer = await gateway.call('POST', airtimeSync, { body });
        assert.equal(answer.body.response_code, '00', answer.text);
      }
    });

    it(`the answer of a provider waits until ${trouble} is over`, async () => {
      const msisdn = newNumber();
      const order = airtime({ msisdn });
      let running: ReturnType<typeof gateway.call> | undefined;
      await whileUnwritable('purchase_outcomes', trouble, async (refusals) => {
        running = gateway.call('POST', airtimeSync, { as: 'live', body: order });
        await eventually('it was tried several times to store the answer', async () =>
          (await refusals()) > 2 ? true : undefined,
        );
      });
      const answer = (await running) ?? assert.fail('nothing was sent');
      assert.equal(answer.body.response_code, '00', answer.text);
      const asked = await gateway.database.query(
        "select 1 from provider_answers a join purchases v on v.id = a.purchase_id where v.reference = $1 and a.source = 'query'",
        [order.request_ref],
      );
      assert.deepEqual(asked, []);
      assert.equal((await deliveriesTo(gateway, msisdn)).length, 1);
    });
  }

  it('a purchase that fails in between answers truthfully: 503 is stored nowhere, 500 must be queried', async () => {
    const orders = Array.from({ length: 60 }, () => airtime());
    const answers = new Map<unknown, number>();
    const sending = (async () => {
      for (const body of orders) {
        const answer = await gateway.call('POST', airtimeSync, { body });
        answers.set(body.request_ref, answer.status);
      }
    })();
    for (let time = 0; time < 3; time += 1) await whileAway(async () => undefined);
    await sending;
    await untilHealthy();
    for (const [reference, status] of answers) {
      assert.ok([200, 503, 500].includes(status), `${status}`);
      if (status === 503) assertRefused(await statusOf(gateway, reference), 404);
      if (status === 200) assert.equal((await statusOf(gateway, reference)).body.code, '00');
    }
    await eventually('nothing is pending', async () => {
      const rows = await gateway.database.query('select 1 from pending_purchases');
      return rows.length === 0 ? true : undefined;
    });
  });
});
