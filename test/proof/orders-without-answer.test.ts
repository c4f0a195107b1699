/**
 * Purchases through ClubKonnect and SMEPlug, each with a simulator: sold, queried by the
 * provider's own id, and never lost or bought twice if an answer is missing.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
const folder = await mkdtemp(join(tmpdir(), 'oja-cards-'));
const card = { product: 'EDUCATION', network: 'MTN', amount_type: 'fixed' };
for (const [name, records, ...flags] of [
  ['billers', [{ product: 'EDUCATION', network: 'MTN', name: 'MTN recharge cards' }], '--billers'],
  [
    'cards',
    ['100', '200'].map((value, index) => ({
      ...card,
      id: 2901 + index,
      name: `MTN ${value}`,
      price: value,
      provider_codes: { clubkonnect: { mobile_network: '01', value } },
    })),
  ],
] as const) {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(records));
  const ran = await spawnOja(settings, ['catalog', 'import', file, ...flags, '--apply']);
  assert.equal(ran.code, 0, ran.err + ran.out);
}
await spawnOja(settings, ['route', 'set', 'live', 'EDUCATION', 'MTN', 'clubkonnect']);
const gateway = await openGatewayUnderTest({ databaseUrl: clone.connectionString, settings });
after(async () => {
  await upstreams[Symbol.asyncDispose]();
  await clone[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
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

  it('only an order refused for our account goes to the next provider', async () => {
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

describe('recharge cards', () => {
  const cardOf = (value: string, planCode: string): Record<string, unknown> =>
    airtime({
      product: 'EDUCATION',
      network: 'MTN',
      msisdn: '08031234567',
      plan_code: planCode,
      amount: `${value}.00`,
    });

  it('sells a card with its PIN, and shows both again with the status', async () => {
    const order = cardOf('100', '2901');
    const created = await gateway.call('POST', '/v1/transactions', { as: 'live', body: order });
    assert.equal(created.body.response_code, '00', created.text);
    const { pins } = created.body.data;
    assert.match(pins[0].pin, /^\d{16}$/);
    assert.deepEqual((await statusOf(gateway, order.request_ref, 'live')).body.payload.pins, pins);
    assert.deepEqual(await deliveriesTo('EPIN MTN 100'), ['clubkonnect']);
    const other = await gateway.call('POST', '/v1/transactions', { as: 'live', body: cardOf('150', '2901') });
    assert.equal(other.status, 400);
  });

  it('keeps a card whose answer was lost: delivered, its PIN owed, and bought once', async () => {
    await upstreams.addRule({ fault: 'cut_after', recipient: 'EPIN MTN 200' });
    const order = cardOf('200', '2902');
    const created = await gateway.call('POST', '/v1/transactions', { as: 'live', body: order });
    assert.notEqual(created.body.response_code, '01', created.text);
    const { body } = await untilFinal(gateway, order.request_ref, 'live');
    assert.deepEqual([body.code, body.payload.pins], ['00', undefined]);
    assert.deepEqual(await deliveriesTo('EPIN MTN 200'), ['clubkonnect']);
  });
});
