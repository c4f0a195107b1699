/**
 * Purchases through ClubKonnect and SMEPlug, each with a simulator: sold, found again by the id
 * that each can be queried by, and never lost or bought twice where an answer is missing.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { spawnOja } from '../cli/harness.ts';
import { airtime as airtimeCase } from '../conformance/products.ts';
import { openSimulatorBench } from '../conformance/simulator-bench.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  eventually,
  openGatewayUnderTest,
  statusOf,
  untilFinal,
} from '../e2e/gateway-under-test.ts';
import { createTestDatabase } from '../support/database.ts';

const upstreams = await openSimulatorBench(airtimeCase);
const clone = await createTestDatabase();
const settings = {
  DATABASE_URL: clone.connectionString,
  OJA_CLUBKONNECT_BASE_URL: `${upstreams.url}/clubkonnect`,
  OJA_CLUBKONNECT_USER_ID: 'CK0000001',
  OJA_CLUBKONNECT_API_KEY: 'simulator-clubkonnect-key',
  OJA_SMEPLUG_BASE_URL: `${upstreams.url}/smeplug`,
  OJA_SMEPLUG_SECRET_KEY: 'simulator-smeplug-key',
};
for (const [network, providers] of [
  ['MTN', 'clubkonnect'],
  ['GLO', 'smeplug'],
  ['AIRTEL', 'clubkonnect,smeplug'],
] as const) {
  await spawnOja(settings, ['route', 'set', 'live', 'airtime', network, providers]);
}
const gateway = await openGatewayUnderTest({ databaseUrl: clone.connectionString, settings });
after(async () => {
  await upstreams[Symbol.asyncDispose]();
  await clone[Symbol.asyncDispose]();
});

/** The deliveries of all providers to a number, by provider. */
async function deliveriesTo(msisdn: string): Promise<string[]> {
  const books = await (await fetch(`${upstreams.url}/books`)).text();
  return books
    .split('\n')
    .filter((line) => line.includes(`"${msisdn}"`))
    .map((line) => String((JSON.parse(line) as { provider: string }).provider));
}

async function isQueried(id: unknown, times: number): Promise<void> {
  await eventually(`${id} is queried`, async () => {
    const [row] = await gateway.database.query<{ queries: number }>(
      `select (select count(*)::int from provider_answers where purchase_id = $1)
       + (select count(*)::int from further_answers where purchase_id = $1) as queries`,
      [id],
    );
    return (row?.queries ?? 0) > times ? true : undefined;
  });
}

const local = (recipient: string): string => recipient.replace(/^234/, '0');

describe('a provider whose answers are lost', () => {
  for (const [network, provider] of [
    ['mtn', 'clubkonnect'],
    ['glo', 'smeplug'],
  ] as const) {
    it(`${provider} sells in the request and in the background`, async () => {
      for (const path of [airtimeSync, airtimeAsync]) {
        const msisdn = local(await upstreams.arrange('success'));
        const order = airtime({ msisdn, network });
        await gateway.call('POST', path, { as: 'live', body: order });
        assert.equal((await untilFinal(gateway, order.request_ref, 'live')).body.code, '00');
        assert.deepEqual(await deliveriesTo(msisdn), [provider]);
      }
    });

    it(`${provider} is queried about a pending order until it is final`, async () => {
      const recipient = await upstreams.arrange('pending_then_failed');
      const order = airtime({ msisdn: local(recipient), network });
      const created = await gateway.call('POST', airtimeAsync, { as: 'live', body: order });
      await isQueried(created.body.data.internal_reference, 1);
      assert.equal((await statusOf(gateway, order.request_ref, 'live')).body.code, '02');
      await upstreams.release(recipient);
      assert.equal((await untilFinal(gateway, order.request_ref, 'live')).body.code, '01');
      assert.deepEqual(await deliveriesTo(local(recipient)), []);
    });

    it(`a purchase that never reached ${provider} stays pending, and is not refunded`, async () => {
      const msisdn = local(await upstreams.arrange('lost_before_delivery'));
      const order = airtime({ msisdn, network });
      const created = await gateway.call('POST', airtimeAsync, { as: 'live', body: order });
      await isQueried(created.body.data.internal_reference, 4);
      assert.equal((await statusOf(gateway, order.request_ref, 'live')).body.code, '02');
      assert.deepEqual(await deliveriesTo(msisdn), []);
    });
  }

  it('ClubKonnect is found by our id when its answer was lost', async () => {
    const msisdn = local(await upstreams.arrange('lost_after_delivery'));
    const order = airtime({ msisdn });
    await gateway.call('POST', airtimeAsync, { as: 'live', body: order });
    assert.equal((await untilFinal(gateway, order.request_ref, 'live')).body.code, '00');
    assert.deepEqual(await deliveriesTo(msisdn), ['clubkonnect']);
  });

  it('SMEPlug cannot be queried without its id: the purchase stays pending for a person', async () => {
    const msisdn = local(await upstreams.arrange('lost_after_delivery'));
    const order = airtime({ msisdn, network: 'glo' });
    const created = await gateway.call('POST', airtimeAsync, { as: 'live', body: order });
    const id = created.body.data.internal_reference;
    await isQueried(id, 4);
    assert.equal((await statusOf(gateway, order.request_ref, 'live')).body.code, '02');
    assert.deepEqual(await deliveriesTo(msisdn), ['smeplug']);
    const [attempt] = await gateway.database.query<{ reference: string }>(
      'select reference from attempts where purchase_id = $1',
      [id],
    );
    // A forged webhook brings the query forward, and decides nothing.
    const transaction = { status: 'success', reference: 'forged', customer_reference: attempt?.reference };
    const heard = await gateway.call('POST', '/hooks/smeplug', { as: 'nobody', body: { transaction } });
    assert.equal(heard.status, 200);
    await isQueried(id, 5);
    assert.equal((await statusOf(gateway, order.request_ref, 'live')).body.code, '02');
  });

  it('the next provider serves an order refused for our account, and no other', async () => {
    const refused = await upstreams.arrangeFault({ fault: 'float_out', provider: 'clubkonnect' });
    const lost = await upstreams.arrangeFault({ fault: 'cut_after', provider: 'clubkonnect' });
    for (const [recipient, provider] of [
      [refused, 'smeplug'],
      [lost, 'clubkonnect'],
    ] as const) {
      const order = airtime({ msisdn: local(recipient), network: 'airtel' });
      await gateway.call('POST', airtimeAsync, { as: 'live', body: order });
      assert.equal((await untilFinal(gateway, order.request_ref, 'live')).body.code, '00');
      assert.deepEqual(await deliveriesTo(local(recipient)), [provider]);
    }
  });
});
