/**
 * Goods and customers' data do not appear in clear text: for each product with sealed goods, in
 * the database and in the most verbose log; for each other product, in the log.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSealed, productRecords } from '../../src/core/products/registry.ts';
import { betting, buy, cable, electricity, testKeyChangeMeter } from '../e2e/bills.ts';
import {
  airtime,
  airtimeSync,
  data,
  dataSync,
  eventually,
  newReference,
  openGatewayUnderTest,
} from '../e2e/gateway-under-test.ts';
import { cardOrders, esimOrders } from '../e2e/goods.ts';
import type { Answer } from '../support/gateway.ts';
import { findInDatabase } from '../support/whole-database.ts';

const gateway = await openGatewayUnderTest({ settings: { OJA_LOG_LEVEL: 'trace' } });

async function order(path: string, body: Readonly<Record<string, unknown>>): Promise<Answer> {
  const created = await gateway.call('POST', path, { body });
  assert.equal(created.status, 200, created.text);
  return await eventually('the order is final', async () => {
    const found = await gateway.call('GET', `${path}/${body.request_id}`);
    return found.body.response_code === '02' ? undefined : found;
  });
}

const education = () =>
  electricity({
    product: 'EDUCATION',
    network: 'WAEC',
    msisdn: '08000000010',
    plan_code: '2301',
    amount: '5350.00',
  });

/** A number that the text of the start does not have. */
const msisdn = '08067779911';

/** A valid purchase of each product, and the fields of its answer that contain goods. */
const purchases: Readonly<Record<string, readonly [buy: () => Promise<Answer>, goods: readonly string[]]>> = {
  airtime: [() => gateway.call('POST', airtimeSync, { body: airtime({ msisdn }) }), []],
  data: [() => gateway.call('POST', dataSync, { body: data({ msisdn }) }), []],
  ELECTRICITY: [() => buy(gateway, electricity({ msisdn: testKeyChangeMeter })), ['token', 'kct1', 'kct2']],
  CABLE: [() => buy(gateway, cable()), []],
  BETTING: [() => buy(gateway, betting()), []],
  EDUCATION: [() => buy(gateway, education()), ['pins']],
  GIFTCARD: [() => order(cardOrders, { request_id: newReference(), plan_id: 300002 }), ['cards']],
  ESIM: [
    () => order(esimOrders, { request_id: newReference(), plan_id: 'NG-1GB-7D' }),
    ['iccid', 'activation_code', 'lpa'],
  ],
};

/** All texts in a value that are long enough to be sought. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= 10 ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Searches the log after another request. */
async function findInLog(values: readonly string[]): Promise<readonly string[]> {
  const id = newReference();
  await gateway.call('GET', '/v1/healthz', { headers: { 'x-request-id': id } });
  await eventually('the request is logged', () => gateway.output().includes(id) || undefined);
  return values.filter((value) => gateway.output().includes(value));
}

describe('the goods of a purchase', () => {
  it('are tested here for each product', () => {
    assert.deepEqual(Object.keys(purchases).sort(), productRecords.map(({ name }) => name).sort());
    for (const { name } of productRecords) {
      if (isSealed(name)) assert.notDeepEqual(purchases[name]?.[1], [], name);
    }
  });

  for (const [name, [bought, goods]] of Object.entries(purchases)) {
    const places = isSealed(name) ? 'the database or the log' : 'the log';
    it(`of ${name} are nowhere in clear in ${places}`, async () => {
      const answer = await bought();
      assert.equal(answer.body.response_code, '00', answer.text);
      const secrets = goods.flatMap((field) => textsIn(answer.body.data[field]));
      assert.equal(secrets.length > 0, goods.length > 0, answer.text);
      if (isSealed(name)) assert.deepEqual(await findInDatabase(gateway.database, secrets), []);
      assert.deepEqual(await findInLog([...secrets, String(answer.body.data.msisdn)]), []);
    });
  }
});

it('keeps the identity of a registration sealed, and out of the log', async () => {
  await gateway.database.query(
    `insert into funding_currencies (merchant_id, environment, currency)
     select id, 'test', 'NGN' from merchants where code = $1
     on conflict do nothing`,
    [gateway.credentials.merchant],
  );
  const identity = { bvn: '22291847365', email: 'registered@shop.example', phone_number: '08031239874' };
  const names = { first_name: 'Adaobimnam', last_name: 'Okonkwosinachi' };
  const body = { currency: 'NGN', ...identity, ...names };
  const answer = await gateway.call('POST', '/v1/wallet/funding-account', { body });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(await findInDatabase(gateway.database, [identity.bvn, identity.email]), []);
  assert.deepEqual(await findInLog([...Object.values(identity), ...Object.values(names)]), []);
});
