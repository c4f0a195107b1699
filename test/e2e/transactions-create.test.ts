/**
 * The five routes that create a purchase: their envelopes field by field, and the accepted
 * spellings.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answer } from '../support/gateway.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  anyProduct,
  assertRefused,
  data,
  dataAsync,
  dataSync,
  type Fields,
  footprint,
  merchantCode,
  merchantId,
  newNumber,
  openSharedGateway,
  untilFinal,
} from './gateway-under-test.ts';
import { deliveriesTo, misbehave } from './provider.ts';

const gateway = await openSharedGateway();
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function create(path: string, body: Fields, as: 'test' | 'live' = 'test'): Promise<Answer> {
  return gateway.call('POST', path, { as, body });
}

/** The parts of an answer that differ between purchases, checked and removed. */
function settled(answer: Answer): { [key: string]: unknown; data: Record<string, unknown> } {
  assert.equal(answer.status, 200, answer.text);
  const { internal_reference, created_at, ...rest } = answer.body.data;
  assert.match(internal_reference, uuid);
  if (created_at !== undefined) {
    assert.match(created_at, rfc3339);
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000, created_at);
  }
  const { response_message, ...told } = answer.body;
  assert.ok(response_message.length > 0);
  return { ...told, data: { ...rest, ...(created_at === undefined ? {} : { created_at: 'a time' }) } };
}

describe('a sync create', () => {
  it('sync airtime answers with the final outcome', async () => {
    const body = airtime();
    assert.deepEqual(settled(await create(airtimeSync, body)), {
      status: 'success',
      response_code: '00',
      data: {
        msisdn: '08031234567',
        product: 'airtime',
        request_id: body.request_ref,
        network: 'MTN',
        amount: '100.00',
        plan: '',
        merchant_id: merchantId(),
        created_at: 'a time',
        telco_message: '2348031234567 recharged successfully',
      },
    });
  });

  it('sync data echoes its plan', async () => {
    const body = data({ plan_code: 'MTN-3', amount: '350' });
    assert.deepEqual(settled(await create(dataSync, body)), {
      status: 'success',
      response_code: '00',
      data: {
        msisdn: '08031234567',
        product: 'data',
        request_id: body.request_ref,
        network: 'MTN',
        amount: '350.00',
        plan: 'MTN-3',
        plan_code: 'MTN-3',
        merchant_id: merchantId(),
        created_at: 'a time',
        telco_message: 'Data plan activated for 2348031234567',
      },
    });
  });

  it('a failed sync purchase is HTTP 200 with 01', async () => {
    const answer = settled(await create(airtimeSync, airtime({ msisdn: '08000000001' })));
    assert.deepEqual(
      [answer.status, answer.response_code, answer.data.reason],
      ['failed', '01', 'provider_refused'],
    );
    assert.equal(answer.data.created_at, 'a time');
    assert.ok(String(answer.data.telco_message).includes('08000000001'.slice(1)));
  });

  it('live credentials buy from the provider, once, at its price', async () => {
    const msisdn = newNumber();
    const answer = await create(airtimeSync, airtime({ msisdn, amount: '250.50', network: 'glo' }), 'live');
    assert.equal(settled(answer).response_code, '00');
    const [delivery, ...more] = await deliveriesTo(gateway, msisdn);
    assert.deepEqual(more, []);
    assert.equal(delivery?.amount, '250.50');
    assert.equal(delivery?.product, 'airtime');
    const transfers = await gateway.database.query(
      'select code, amount from transfers where subject_id = $1 order by code',
      [answer.body.data.internal_reference],
    );
    // The simulated provider keeps 3 % less than the face value, its commission rounded down to the
    // kobo.
    assert.deepEqual(transfers, [
      { code: 'purchase_cost', amount: 24_299n },
      { code: 'purchase_margin', amount: 751n },
    ]);
  });

  it('live data sends the plan and its own price', async () => {
    const msisdn = newNumber();
    const body = data({ msisdn, network: 'airtel', plan_code: 'AIRTEL-2', amount: '100.00' });
    assert.equal(settled(await create(dataSync, body, 'live')).response_code, '00');
    const deliveries = await deliveriesTo(gateway, msisdn);
    assert.deepEqual(
      deliveries.map(({ product, amount }) => ({ product, amount })),
      [{ product: 'data', amount: '100.00' }],
    );
  });

  it('a refused purchase is failed, and nothing is delivered or charged', async () => {
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'refused', recipient: msisdn });
    const before = await posted('live');
    const answer = settled(await create(airtimeSync, airtime({ msisdn }), 'live'));
    assert.equal(answer.response_code, '01');
    assert.deepEqual(await deliveriesTo(gateway, msisdn), []);
    assert.equal(await posted('live'), before);
  });
});

describe('an async create', () => {
  for (const [path, body, plan] of [
    [airtimeAsync, airtime(), ''],
    [dataAsync, data(), 'MTN-1'],
    [anyProduct, airtime({ product: 'airtime' }), ''],
    [anyProduct, data({ product: 'data' }), 'MTN-1'],
    [anyProduct, airtime({ product: 'AirTime' }), ''],
  ] as const) {
    it(`async on ${path} of ${body.product ?? 'the fixed product'} is pending, without a time`, async () => {
      const answer = await create(path, body);
      assert.deepEqual(settled(answer), {
        status: 'pending',
        response_code: '02',
        data: {
          msisdn: '08031234567',
          product: plan === '' ? 'airtime' : 'data',
          request_id: body.request_ref,
          network: 'MTN',
          amount: '100.00',
          plan,
          ...(plan !== '' && { plan_code: plan }),
          merchant_id: merchantId(),
        },
      });
      const final = await untilFinal(gateway, body.request_ref);
      assert.equal(final.body.code, '00');
      assert.equal(final.body.payload.internal_reference, answer.body.data.internal_reference);
    });
  }

  it('async with live credentials delivers once', async () => {
    const msisdn = newNumber();
    const body = airtime({ msisdn });
    assert.equal(settled(await create(airtimeAsync, body, 'live')).response_code, '02');
    assert.equal((await untilFinal(gateway, body.request_ref, 'live')).body.code, '00');
    assert.equal((await deliveriesTo(gateway, msisdn)).length, 1);
  });
});

describe('the spellings that a create accepts', () => {
  it('accepts the aliases of fields', async () => {
    const { merchant, msisdn, request_ref, plan_code, ...rest } = data();
    const aliased = {
      ...rest,
      merchant_code: merchant,
      customer_msisdn: msisdn,
      client_request_id: request_ref,
      plan: plan_code,
    };
    const answer = settled(await create(dataSync, aliased));
    assert.equal(answer.response_code, '00');
    assert.equal(answer.data.request_id, request_ref);
    assert.equal(answer.data.plan, 'MTN-1');
    assertRefused(await create(dataSync, data({ request_ref })), 422);
  });

  it('accepts both names with one value, and not with two', async () => {
    const body = airtime();
    assert.equal(
      settled(await create(airtimeSync, { ...body, merchant_code: merchantCode() })).response_code,
      '00',
    );
    const before = await footprint(gateway.database);
    assertRefused(await create(airtimeSync, airtime({ customer_msisdn: '08039999999' })), 400, 'msisdn');
    assert.deepEqual(await footprint(gateway.database), before);
  });

  for (const product of ['data', 'ELECTRICITY', 'nonsense', 7]) {
    it(`ignores the product on a route that fixes it: ${product}`, async () => {
      assert.equal(settled(await create(airtimeSync, airtime({ product }))).data.product, 'airtime');
      const other = product === 'data' ? 'airtime' : product;
      assert.equal(settled(await create(dataSync, data({ product: other }))).data.product, 'data');
    });
  }

  for (const [spelling, network] of [
    ['MTN', 'MTN'],
    ['Glo', 'GLO'],
    ['aIrTeL', 'AIRTEL'],
    ['9mobile', '9MOBILE'],
    ['9MOBILE', '9MOBILE'],
    ['t2', '9MOBILE'],
    ['T2', '9MOBILE'],
    ['etisalat', '9MOBILE'],
  ]) {
    it(`accepts the network ${spelling}`, async () => {
      assert.equal(settled(await create(airtimeSync, airtime({ network: spelling }))).data.network, network);
    });
  }

  for (const msisdn of ['08031234567', '2348031234567', '+2348031234567', '07020000000', '09161234567']) {
    it(`accepts the number ${msisdn}, and echoes it as sent`, async () => {
      assert.equal(settled(await create(airtimeSync, airtime({ msisdn }))).data.msisdn, msisdn);
    });
  }

  it('accepts any network for any number: numbers are ported', async () => {
    for (const network of ['mtn', 'glo', 'airtel', '9mobile']) {
      const answer = settled(await create(airtimeSync, airtime({ network, msisdn: '08051234567' })));
      assert.equal(answer.response_code, '00');
    }
  });

  for (const [amount, echo] of [
    ['50', '50.00'],
    ['50.5', '50.50'],
    ['50.05', '50.05'],
    ['10.00', '10.00'],
  ]) {
    it(`accepts the amount ${amount}`, async () => {
      assert.equal(settled(await create(airtimeSync, airtime({ amount }))).data.amount, echo);
    });
  }

  it('ignores unknown fields, in any script', async () => {
    const request_ref = 'ọjà 市場 🛒 1';
    const answer = settled(await create(airtimeSync, airtime({ request_ref, note: { a: [1, null] } })));
    assert.equal(answer.data.request_id, request_ref);
    assert.equal((await untilFinal(gateway, request_ref)).body.payload.request_id, request_ref);
  });

  it('accepts any content type, or none', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-8',
    ]) {
      const body = JSON.stringify(airtime());
      const headers = { 'content-type': type };
      assert.equal((await gateway.call('POST', airtimeSync, { body, headers })).status, 200);
    }
  });
});

async function posted(environment: string): Promise<unknown> {
  const [row] = await gateway.database.query(
    `select posted - held as left from wallets where merchant_id = 1 and environment = $1`,
    [environment],
  );
  return row?.left;
}
