/**
 * The create routes: accepted and refused input. Envelopes, spellings and modes are read at a
 * gateway: test/e2e/transactions-create.test.ts.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ServerDependencies } from '../../src/api/dependencies.ts';
import type { Goods } from '../../src/providers/provider.ts';
import {
  airtimeSync,
  aPurchase,
  buildEdge,
  faultsOf,
  faultyFields,
  goodAirtime,
  goodData,
  without,
} from './harness.ts';

const edge = await buildEdge();
after(() => edge.app.close());

const dataSync = '/v1/transactions/data/sync';

test('a failed purchase is HTTP 200 with its reason; goods and the network’s message are passed on', async (t) => {
  const failed = await buildEdge({
    purchases: {
      purchase: async (request) =>
        aPurchase(request, {
          status: 'failed',
          reason: 'insufficient_funds',
          telcoMessage: 'no',
          goods: { token: '1234', secret_of_ours: 'x' } as Goods,
        }),
    },
  });
  t.after(() => failed.app.close());
  const response = await failed.send('POST', airtimeSync, goodAirtime);
  assert.equal(response.statusCode, 200);
  const answer = response.json();
  assert.equal(answer.response_code, '01');
  assert.equal(answer.data.reason, 'insufficient_funds');
  assert.equal(answer.data.telco_message, 'no');
  assert.equal(answer.data.token, '1234');
  assert.equal('secret_of_ours' in answer.data, false);
});

test('a wrong value is 400 and named, and nothing is bought', async (t) => {
  const wrong: Record<string, readonly unknown[]> = {
    merchant: [1, '', ' DEMO', 'DE\u0000MO', 'DEMO\ud800', {}, []],
    msisdn: [
      8031234567,
      '',
      'abc',
      '0803123456',
      '080312345678',
      '08031234567 ',
      '+08031234567',
      '0800123456७',
    ],
    network: ['', 'mtnn', 'DSTV', 1, ['mtn'], 'mtn\u0000'],
    amount: [
      100,
      '0',
      '0.00',
      '-1',
      '-100.00',
      '100.123',
      '1e3',
      '1,000',
      ' 100',
      '+100',
      '0100',
      '',
      '9'.repeat(30),
      '9.99',
      '500000.01',
      true,
      'NaN',
      'Infinity',
    ],
    request_ref: ['', ' a', 'a ', 'a\nb', 'a\u0000', 'a\ud800', '\udc00', 'x'.repeat(101), 5, {}],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      await t.test(`${field} ${JSON.stringify(value).slice(0, 40)}`, async () => {
        edge.purchases.length = 0;
        const response = await edge.send('POST', airtimeSync, { ...goodAirtime, [field]: value });
        assert.equal(response.statusCode, 400);
        assert.equal(response.json().status, 'error');
        assert.equal(response.json().code, 400);
        assert.deepEqual(faultsOf(response), [[field, isText(value) ? 'field_invalid' : 'text_malformed']]);
        assert.equal(edge.purchases.length, 0);
      });
    }
  }
});

function isText(value: unknown): boolean {
  return typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));
}

test('values at the limits of the rules are accepted', async () => {
  for (const over of [
    { request_ref: 'x'.repeat(100) },
    { request_ref: '\u{1f600} ọjà #1/2?' },
    { request_ref: '\u{1f600}'.repeat(100) },
    { merchant: 'demo' },
    { amount: '10.00' },
    { amount: '500000.00' },
    { msisdn: '08000000001' },
    { unknown_field: { deep: [1, 2, { more: null }] } },
    { plan_code: 17 },
    { constructor: { prototype: 1 } },
  ]) {
    const response = await edge.send('POST', airtimeSync, { ...goodAirtime, ...over });
    assert.equal(response.statusCode, 200, JSON.stringify(over));
  }
});

test('a missing required field is 422, with every other fault named too', async () => {
  for (const field of Object.keys(goodData)) {
    const response = await edge.send('POST', dataSync, without(goodData, field));
    assert.equal(response.statusCode, 422, field);
    assert.deepEqual(faultsOf(response), [[field, 'field_missing']]);
  }
  const both = await edge.send('POST', dataSync, { ...without(goodData, 'plan_code'), amount: 5 });
  assert.equal(both.statusCode, 422);
  assert.deepEqual(faultyFields(both).toSorted(), ['amount', 'plan_code']);
  const all = await edge.send('POST', dataSync, {});
  assert.equal(all.statusCode, 422);
  assert.deepEqual(faultyFields(all).toSorted(), Object.keys(goodData).toSorted());
  const two = await edge.send('POST', airtimeSync, { ...goodAirtime, amount: 5, network: 'x' });
  assert.equal(two.statusCode, 400);
  assert.deepEqual(faultyFields(two).toSorted(), ['amount', 'network']);
});

test('a field may be sent under its other name, or under both with one value', async () => {
  const names = {
    merchant: 'merchant_code',
    msisdn: 'customer_msisdn',
    request_ref: 'client_request_id',
    plan_code: 'plan',
  } as const;
  for (const [field, alias] of Object.entries(names) as [keyof typeof names, string][]) {
    const value = goodData[field];
    const renamed = await edge.send('POST', dataSync, { ...without(goodData, field), [alias]: value });
    assert.equal(renamed.statusCode, 200, alias);
    const same = await edge.send('POST', dataSync, { ...goodData, [alias]: value });
    assert.equal(same.statusCode, 200, alias);
    const differs = await edge.send('POST', dataSync, { ...goodData, [alias]: `${value}1` });
    assert.equal(differs.statusCode, 400, alias);
    assert.deepEqual(faultsOf(differs), [[field, 'alias_differs']]);
    const wrong = await edge.send('POST', dataSync, { ...without(goodData, field), [alias]: 5.5 });
    assert.equal(wrong.statusCode, 400, alias);
    assert.ok(faultyFields(wrong).includes(field));
  }
});

test('accepts both names of a number on a route that sets the product', async () => {
  const number = { msisdn: '08031234567', customer_msisdn: '2348031234567' };
  for (const product of ['ELECTRICITY', 'airtime', '', 7, {}, null]) {
    const answer = await edge.send('POST', airtimeSync, { ...goodAirtime, ...number, product });
    assert.equal(answer.statusCode, 200, String(product));
  }
  const other = { ...number, customer_msisdn: '2348031234568', product: 'airtime' };
  const differs = await edge.send('POST', airtimeSync, { ...goodAirtime, ...other });
  assert.equal(differs.statusCode, 400);
  assert.deepEqual(faultyFields(differs), ['msisdn']);
});

test('the generic route requires a product and validates the body by it', async () => {
  const missing = await edge.send('POST', '/v1/transactions', without(goodAirtime, 'amount'));
  assert.equal(missing.statusCode, 422);
  assert.deepEqual(faultyFields(missing).toSorted(), ['amount', 'product']);
  for (const product of ['airtimes', '', 1]) {
    const response = await edge.send('POST', '/v1/transactions', { ...goodAirtime, product });
    assert.equal(response.statusCode, 400);
    assert.deepEqual(faultyFields(response), ['product']);
  }
  const noPlan = await edge.send('POST', '/v1/transactions', { ...goodAirtime, product: 'data' });
  assert.equal(noPlan.statusCode, 422);
  assert.deepEqual(faultyFields(noPlan), ['plan_code']);
});

test('a bill is sent on as a sync purchase in canonical spelling', async () => {
  const bill = { ...goodData, msisdn: '10000000001', plan_code: '501' };
  for (const [product, network, more, canonical] of [
    ['electricity', 'ikeja electric', {}, 'Ikeja Electric'],
    ['electricity', 'ikedc', { phone: '2348031234567' }, 'Ikeja Electric'],
    ['Cable', 'dstv', {}, 'DSTV'],
    ['BETTING', 'bet9ja', { phone: '08031234567' }, 'BET9JA'],
  ] as const) {
    edge.purchases.length = 0;
    const response = await edge.send('POST', '/v1/transactions', { ...bill, product, network, ...more });
    assert.equal(response.statusCode, 200);
    assert.equal(edge.purchases[0]?.mode, 'sync');
    assert.equal(edge.purchases[0]?.request.network, canonical);
    assert.equal(edge.purchases[0]?.request.product, product.toUpperCase());
    assert.equal(edge.purchases[0]?.request.recipient, '10000000001');
    assert.equal(edge.purchases[0]?.request.phone, 'phone' in more ? more.phone : undefined);
    assert.equal('created_at' in response.json().data, true);
  }
  const noPhone = await edge.send('POST', '/v1/transactions', {
    ...bill,
    product: 'BETTING',
    network: 'bet9ja',
  });
  assert.equal(noPhone.statusCode, 422);
  assert.deepEqual(faultyFields(noPhone), ['phone']);
  const otherNetwork = await edge.send('POST', '/v1/transactions', {
    ...bill,
    product: 'CABLE',
    network: 'EKEDC',
  });
  assert.equal(otherNetwork.statusCode, 400);
  assert.deepEqual(faultsOf(otherNetwork), [['network', 'network_unknown']]);
  assert.ok(otherNetwork.json().message.includes('DSTV'));
});

test('a plan may be a number that the list shows; any other number is refused', async () => {
  const bill = { ...goodAirtime, msisdn: '10000000001', product: 'ELECTRICITY', network: 'EKEDC' };
  for (const plan of [{ plan_code: 2003 }, { plan: 2003 }, { plan: 2003, plan_code: '2003' }]) {
    edge.purchases.length = 0;
    const response = await edge.send('POST', '/v1/transactions', { ...bill, ...plan });
    assert.equal(response.statusCode, 200, response.body);
    assert.equal(edge.purchases[0]?.request.planCode, '2003');
  }
  for (const plan_code of [2003.5, true, ['2003'], 1e300]) {
    const response = await edge.send('POST', '/v1/transactions', { ...bill, plan_code });
    assert.equal(response.statusCode, 400, String(plan_code));
    assert.deepEqual(faultyFields(response), ['plan_code']);
  }
  const data = await edge.send('POST', '/v1/transactions', { ...goodData, product: 'data', plan_code: 1001 });
  assert.equal(data.statusCode, 200);
  assert.equal(edge.purchases.at(-1)?.request.planCode, '1001');
});

test('the networks of bills are those of the catalog', async (t) => {
  const empty = await buildEdge({
    catalog: { findBiller: () => undefined, listBillers: () => [], listBillPlans: () => [] },
  });
  t.after(() => empty.app.close());
  const bill = { ...goodData, msisdn: '10000000001', product: 'CABLE', network: 'DSTV' };
  const response = await empty.send('POST', '/v1/transactions', bill);
  assert.equal(response.statusCode, 400);
  assert.deepEqual(faultsOf(response), [['network', 'network_unknown']]);
});

test('lets a merchant name only itself: 403 for another, 404 for an unknown code', async () => {
  edge.purchases.length = 0;
  for (const [merchant, status] of [
    ['OTHER', 403],
    ['NOBODY', 404],
  ] as const) {
    const response = await edge.send('POST', airtimeSync, { ...goodAirtime, merchant });
    assert.equal(response.statusCode, status);
    assert.deepEqual(faultyFields(response), ['merchant']);
  }
  assert.equal(edge.purchases.length, 0);
});

test('refuses merchant codes of others with 429 after too many, and still serves the own code', async (t) => {
  const warned: object[] = [];
  const tries: string[] = [];
  const limiting = await buildEdge({
    merchantCodeTries: {
      take: async ({ credentialId }) => {
        tries.push(credentialId);
        return tries.length <= 2 ? undefined : { retryAfterS: 17, isFirst: tries.length === 3 };
      },
    },
    log: { info: () => undefined, warn: (fields) => warned.push(fields), error: () => undefined },
  });
  t.after(() => limiting.app.close());
  const verify = '/v1/transactions/verify';
  const customer = { ...goodAirtime, product: 'ELECTRICITY', network: 'IKEDC', plan_code: '2001' };
  const send = (path: string, merchant: string) =>
    limiting.send('POST', path, {
      ...(path === verify ? { ...customer, msisdn: '10000000001' } : goodAirtime),
      merchant,
    });
  for (const [path, code, status] of [
    [airtimeSync, 'OTHER', 403],
    [verify, 'NOBODY', 404],
    [airtimeSync, 'OTHER', 429],
    [airtimeSync, 'NOBODY', 429],
    [verify, 'OTHER', 429],
    [verify, 'NOBODY', 429],
  ] as const) {
    const response = await send(path, code);
    assert.equal(response.statusCode, status);
    if (status !== 429) continue;
    assert.equal(response.headers['retry-after'], '17');
    assert.equal(response.json().reason, 'merchant_codes_limited');
    assert.deepEqual(faultsOf(response), [['merchant', 'merchant_codes_limited']]);
  }
  assert.equal(limiting.purchases.length, 0);
  assert.equal(tries.length, 6);
  assert.deepEqual(warned, [
    { merchant: 'DEMO', key: 'oja_test_good', address: '127.0.0.1', retryAfterS: 17 },
  ]);
  for (const code of ['DEMO', 'demo']) {
    for (const path of [airtimeSync, verify]) assert.equal((await send(path, code)).statusCode, 200);
  }
  assert.equal(tries.length, 6);
});

test('a body that is not a JSON object is 400', async (t) => {
  const nested = `${'{"a":'.repeat(20_000 / 5)}1${'}'.repeat(20_000 / 5)}`;
  const bodies = {
    broken: '{"merchant":',
    text: 'merchant=DEMO',
    empty: '',
    array: [goodAirtime],
    string: '"text"',
    'string with NUL': '"\\u0000"',
    number: '1',
    null: 'null',
    nested,
    'nested arrays': '['.repeat(20_000) + ']'.repeat(20_000),
    'nested in a field': `{"merchant":"DEMO","x":${'['.repeat(50)}${']'.repeat(50)}}`,
    __proto__: `{"__proto__":{"merchant":"DEMO"},${JSON.stringify(goodAirtime).slice(1)}`,
    '__proto__ escaped': `{"\\u005f_proto__":1,${JSON.stringify(goodAirtime).slice(1)}`,
    'NUL in a field nobody reads': { ...goodAirtime, note: 'a\u0000' },
    'half a pair deep inside': { ...goodAirtime, note: { of: ['\udfff'] } },
  };
  for (const [name, body] of Object.entries(bodies)) {
    await t.test(name, async () => {
      edge.purchases.length = 0;
      const response = await edge.send('POST', airtimeSync, body);
      assert.equal(response.statusCode, 400);
      assert.equal(response.json().code, 400);
      // The whole body was read, so the connection can continue.
      assert.notEqual(response.headers.connection, 'close');
      assert.equal(edge.purchases.length, 0);
    });
  }
  const latin1 = await edge.app.inject({
    method: 'POST',
    url: airtimeSync,
    headers: { 'x-merchant-key': 'oja_test_good', 'x-merchant-secret': 'a-secret-that-must-not-show' },
    payload: Buffer.from(JSON.stringify({ ...goodAirtime, request_ref: 'caf\u00e9' }), 'latin1'),
  });
  assert.equal(latin1.statusCode, 400);
  assert.equal(latin1.json().reason, 'body_not_utf8');
});

test('a JSON body is read whatever its content type', async () => {
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'json', ';;;', undefined];
  for (const type of types) {
    const response = await edge.app.inject({
      method: 'POST',
      url: airtimeSync,
      headers: {
        'x-merchant-key': 'oja_test_good',
        'x-merchant-secret': 'a-secret-that-must-not-show',
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      payload: Buffer.from(JSON.stringify(goodAirtime)),
    });
    assert.equal(response.statusCode, 200, String(type));
  }
});

test('an internal error is 500 without details, and is logged with the request id', async (t) => {
  const purchase: ServerDependencies['purchases']['purchase'] = () =>
    Promise.reject(Object.assign(new Error('relation "purchases" does not exist'), { statusCode: 0 }));
  const broken = await buildEdge({ purchases: { purchase } });
  t.after(() => broken.app.close());
  const response = await broken.send('POST', airtimeSync, goodAirtime);
  assert.equal(response.statusCode, 500);
  assert.deepEqual(Object.keys(response.json()), ['status', 'code', 'reason', 'message']);
  assert.doesNotMatch(response.body, /relation|purchases/);
  const id = String(response.headers['x-request-id']);
  assert.equal(response.json().reason, 'unexpected_error');
  assert.ok(response.json().message.includes(id));
  const [line] = broken.logged.filter(({ level }) => level === 'error');
  assert.equal(line?.fields.reqId, id);
});
