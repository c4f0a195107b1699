/**
 * A provider that reports success without the token, and later does not find the order: the
 * purchase is a success, its money stays where it is, and an alarm is raised.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { buy, electricity, newMeter } from '../e2e/bills.ts';
import { eventually, openGatewayUnderTest, statusOf, walletOf } from '../e2e/gateway-under-test.ts';
import { openShop } from '../e2e/shop.ts';
import { freePort, spawnSimulator } from '../support/processes.ts';

/** Queries that are answered by then: 5 s, 15 s and 20 s after the purchase. */
const DEADLINE_S = '24';
const NOT_FOUND_TIMES = 3;

it('a success without its token, then "not found" three times, is a success with alarms', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'oja-forgotten-'));
  const simulator = await spawnSimulator({ port: await freePort(), dir });
  after(async () => {
    await simulator[Symbol.asyncDispose]();
    await rm(dir, { recursive: true });
  });
  const gateway = await openGatewayUnderTest({
    simulatorUrl: simulator.url,
    settings: { OJA_TIME_SCALE: '1', OJA_SYNC_DEADLINE_S: DEADLINE_S, OJA_NOT_FOUND_GRACE_S: '10' },
  });
  const shop = await openShop(gateway);
  await gateway.database.query(
    "insert into merchant_products (merchant_id, environment, product) values ($1, 'live', 'ELECTRICITY')",
    [shop.id],
  );
  await simulator.misbehave(1, [{ fault: 'pending_fulfilments', fulfilment_ms: 3_600_000 }]);
  const body = electricity({ merchant: shop.code, msisdn: newMeter() });
  const bought = buy(gateway, body, shop.live);
  await eventually('the provider has said success', async () => {
    const rows = await gateway.database.query("select from provider_answers where kind = 'success'");
    return rows.length > 0 ? true : undefined;
  });
  await simulator.kill();
  await rm(join(dir, 'journal.ndjson'));
  await simulator.start();
  const answer = await bought;
  assert.equal(answer.body.response_code, '00', answer.text);
  assert.equal(answer.body.data.token, undefined);
  const id = answer.body.data.internal_reference;
  await eventually('it was not found so often', async () => {
    const answers = await gateway.database.query(
      "select from provider_answers where purchase_id = $1 and kind = 'not_found'",
      [id],
    );
    return answers.length >= NOT_FOUND_TIMES ? true : undefined;
  });
  assert.equal((await statusOf(gateway, body.request_ref, shop.live)).body.code, '00');
  const alarms = await gateway.database.query<{ kind: string }>(
    'select kind from alarms where purchase_id = $1',
    [id],
  );
  assert.deepEqual(alarms.map(({ kind }) => kind).sort(), ['contradiction', 'pending_fulfilments']);
  assert.deepEqual((await walletOf(gateway, shop.live)).held, '0.00');
});
