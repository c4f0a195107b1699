/** The verification route: accepted and refused input, and answers. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { GatewayError } from '../../src/core/errors.ts';
import type { Customer } from '../../src/core/products/customer.ts';
import type { CustomerVerification } from '../../src/purchases/create/verify-customer.ts';
import { buildEdge, type Edge, faultsOf, faultyFields, without } from './harness.ts';

const path = '/v1/transactions/verify';
const limits = { min: 50_000n, max: 100_000_000n };

const meter = {
  merchant: 'DEMO',
  msisdn: '10000000001',
  network: 'ikeja electric',
  product: 'electricity',
  plan_code: '2001',
};

const edge = await buildEdge();
after(() => edge.app.close());

/** Runs the API in front of an operation that ends with this result. */
function answering(verification: CustomerVerification): Promise<Edge> {
  return buildEdge({ purchases: { verifyBillCustomer: async () => verification } });
}

async function verified(body: object, customer: Customer): Promise<Record<string, unknown>> {
  const { app, send } = await answering({ kind: 'verified', customer, limits });
  const response = await send('POST', path, body);
  await app.close();
  assert.equal(response.statusCode, 200, response.body);
  const { result, message, ...envelope } = response.json();
  assert.deepEqual(envelope, { state: 'ok', code: '00' });
  assert.ok(message.length > 0);
  return result;
}

test('queries the customer in canonical spelling, by either id of the plan', async () => {
  for (const plan of [
    { plan_code: '2001' },
    { plan: '2001' },
    { plan_code: 2001 },
    { service_id: 'ikeja-electric-prepaid' },
  ]) {
    edge.customers.length = 0;
    const response = await edge.send('POST', path, { ...without(meter, 'plan_code'), ...plan });
    assert.equal(response.statusCode, 200, response.body);
    const [{ principal, ...asked } = { principal: undefined }] = edge.customers;
    assert.equal(principal?.merchant.code, 'DEMO');
    const legacy = 'service_id' in plan;
    assert.deepEqual(asked, {
      product: 'ELECTRICITY',
      network: 'Ikeja Electric',
      planCode: legacy ? undefined : '2001',
      serviceId: legacy ? 'ikeja-electric-prepaid' : undefined,
      recipient: '10000000001',
    });
  }
  assert.equal(edge.purchases.length, 0);
});

test('accepts the other names of fields, and ignores a request_ref', async () => {
  const { merchant: merchant_code, msisdn: customer_msisdn, ...rest } = meter;
  const other = { ...rest, merchant_code, customer_msisdn, request_ref: 'x' };
  assert.equal((await edge.send('POST', path, other)).statusCode, 200);
  const both = await edge.send('POST', path, { ...meter, customer_msisdn: '2' });
  assert.equal(both.statusCode, 400);
  assert.deepEqual(faultyFields(both), ['msisdn']);
});

test('returns the biller’s facts about a meter, in amounts of naira', async () => {
  const customer = {
    name: 'ADA OBI',
    address: '1 Market Road',
    minAmount: 50_000n,
    maxAmount: 0n,
    meterNumber: '10000000001',
    arrears: 123_456n,
    accountType: 'NMD',
    meterType: 'PREPAID',
    district: 'IKEJA',
    businessUnit: 'OJODU',
    districtReference: 'IKJ-1',
    tariff: 'R2',
  };
  assert.deepEqual(await verified(meter, customer), {
    product: 'ELECTRICITY',
    network: 'Ikeja Electric',
    msisdn: '10000000001',
    customer_name: 'ADA OBI',
    customer_address: '1 Market Road',
    min_amount: '500.00',
    max_amount: '1000000.00',
    meter_number: '10000000001',
    arrears: '1234.56',
    account_type: 'NMD',
    meter_type: 'PREPAID',
    district: 'IKEJA',
    business_unit: 'OJODU',
    district_reference: 'IKJ-1',
    tariff: 'R2',
  });
});

test('returns no limits for a plan with one price', async () => {
  const { app, send } = await answering({ kind: 'verified', customer: { name: 'ADA' }, limits: undefined });
  const { result } = (await send('POST', path, { ...meter, product: 'CABLE', network: 'dstv' })).json();
  assert.deepEqual(Object.keys(result), ['product', 'network', 'msisdn', 'customer_name']);
  await app.close();
});

test('omits facts that the biller does not report, and fields of other products', async () => {
  const everything: Customer = {
    name: 'ADA OBI',
    username: 'ada',
    address: '',
    currentBouquet: 'DStv Padi',
    renewalAmount: 440_000n,
    dueDate: '2026-12-31',
    tariff: 'R2',
  };
  assert.deepEqual(Object.keys(await verified(meter, { name: 'ADA OBI', address: '' })), [
    'product',
    'network',
    'msisdn',
    'customer_name',
    'min_amount',
    'max_amount',
  ]);
  assert.deepEqual(await verified({ ...meter, product: 'CABLE', network: 'dstv' }, everything), {
    product: 'CABLE',
    network: 'DSTV',
    msisdn: '10000000001',
    customer_name: 'ADA OBI',
    current_bouquet: 'DStv Padi',
    renewal_amount: '4400.00',
    due_date: '2026-12-31',
    min_amount: '500.00',
    max_amount: '1000000.00',
  });
  assert.deepEqual(await verified({ ...meter, product: 'BETTING', network: 'bet9ja' }, everything), {
    product: 'BETTING',
    network: 'BET9JA',
    msisdn: '10000000001',
    customer_name: 'ADA OBI',
    customer_username: 'ada',
    min_amount: '500.00',
    max_amount: '1000000.00',
  });
});

test('a rejected customer is 400 with the biller’s reason; a failed check is 502 without one', async () => {
  const rejecting = await answering({ kind: 'rejected', message: 'Meter is blocked' });
  const rejected = await rejecting.send('POST', path, meter);
  assert.equal(rejected.statusCode, 400);
  assert.deepEqual(rejected.json(), {
    status: 'error',
    code: 400,
    reason: 'customer_rejected',
    message: 'Meter is blocked',
    errors: [{ field: 'msisdn', reason: 'customer_rejected', message: 'Meter is blocked' }],
  });
  await rejecting.app.close();
  const silent = await answering({ kind: 'unavailable' });
  const unknown = await silent.send('POST', path, meter);
  assert.equal(unknown.statusCode, 502);
  assert.equal(unknown.json().reason, 'customer_not_verified');
  assert.deepEqual(Object.keys(unknown.json()), ['status', 'code', 'reason', 'message']);
  await silent.app.close();
});

test('missing fields are 400 here, with every field named', async () => {
  for (const field of Object.keys(meter)) {
    const response = await edge.send('POST', path, without(meter, field));
    assert.equal(response.statusCode, 400, field);
    assert.deepEqual(faultsOf(response), [[field, 'field_missing']]);
  }
  const all = await edge.send('POST', path, {});
  assert.equal(all.statusCode, 400);
  assert.deepEqual(faultyFields(all).toSorted(), ['merchant', 'msisdn', 'network', 'product']);
});

test('both ids of a plan are refused, even if they mean the same', async () => {
  const response = await edge.send('POST', path, { ...meter, service_id: 'ikeja-electric-prepaid' });
  assert.equal(response.statusCode, 400);
  assert.deepEqual(faultyFields(response), ['plan_code', 'service_id']);
});

test('a wrong value is 400 and named, and no provider is queried', async () => {
  edge.customers.length = 0;
  const long = 'x'.repeat(10_000);
  const wrong: Record<string, readonly unknown[]> = {
    merchant: [1, '', long],
    msisdn: [10000000001, '', ' 1', '1\n', long, null],
    network: ['', 'DSTV', 'nobody', long, 1, '__proto__'],
    product: ['airtime', 'data', 'gas', '', 1, null, 'constructor'],
    plan_code: ['', ' 1', long, true, null, 1.5],
    service_id: [' ', long, {}],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      const body = field === 'service_id' ? without(meter, 'plan_code') : meter;
      const response = await edge.send('POST', path, { ...body, [field]: value });
      assert.equal(response.statusCode, 400, `${field} ${String(value).slice(0, 20)}`);
      assert.deepEqual(faultyFields(response), [field], response.body.slice(0, 200));
    }
  }
  for (const body of ['', '{', [meter], '"x"']) {
    assert.equal((await edge.send('POST', path, body)).statusCode, 400);
  }
  assert.equal(edge.customers.length, 0);
});

test('a merchant may name only itself; a refusal of the operation is passed on', async (t) => {
  edge.customers.length = 0;
  for (const [merchant, status] of [
    ['OTHER', 403],
    ['NOBODY', 404],
  ] as const) {
    const response = await edge.send('POST', path, { ...meter, merchant });
    assert.equal(response.statusCode, status);
    assert.deepEqual(faultyFields(response), ['merchant']);
  }
  assert.equal(edge.customers.length, 0);
  const refusing = await buildEdge({
    purchases: {
      verifyBillCustomer: () =>
        Promise.reject(new GatewayError({ code: 'product_not_enabled', product: 'ELECTRICITY' })),
    },
  });
  t.after(() => refusing.app.close());
  assert.equal((await refusing.send('POST', path, meter)).statusCode, 403);
  const nobody = await edge.app.inject({ method: 'POST', url: path, payload: meter });
  assert.equal(nobody.statusCode, 401);
});
