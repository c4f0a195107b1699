/**
 * The routes that only read: status, list, plans, balance, health; and callbacks, which are only
 * hints.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aPurchase, buildEdge, faultsOf, faultyFields, purchaseId } from './harness.ts';

const edge = await buildEdge({
  purchases: {
    findPurchase: async (_caller, reference) =>
      reference === 'failed-1'
        ? aPurchase({ reference }, { status: 'failed', reason: 'refused', telcoMessage: 'barred' })
        : reference === 'order-1'
          ? aPurchase({ reference, product: 'data', planCode: 'MTN-1' })
          : undefined,
  },
  wallets: {
    balance: async (_caller, currency) =>
      currency === 'NGN'
        ? { posted: 25_000_000n, held: 10_000n, floor: 0n }
        : currency === 'USD'
          ? { posted: -5_000n, held: 0n, floor: -100_000n }
          : undefined,
  },
  catalog: {
    listDataPlans: (network) => [
      {
        planCode: `${network}-1`,
        id: 1001,
        network,
        name: 'Name',
        description: 'Description',
        price: 10_000n,
        tariffTypeId: '1010',
        legacyProductId: undefined,
        validity: '1 day',
        size: '110MB',
        group: 'Daily',
        planKind: 'direct',
        shortCode: 'SHORT',
        providerCodes: {},
        active: true,
      },
    ],
  },
});
after(() => edge.app.close());

const purchase = {
  internal_reference: purchaseId,
  msisdn: '08031234567',
  network: 'MTN',
  amount: '100.00',
  merchant_id: 7,
};
const localTimes = { created_at: '2026-11-21 13:05:09', updated_at: '2026-11-21 13:05:10' };

test('status answers envelope B under each of the three keys', async () => {
  for (const key of ['request_ref', 'request_id', 'client_request_id']) {
    const response = await edge.send('GET', `/v1/transactions/status?${key}=order-1`);
    assert.equal(response.statusCode, 200);
    const { message, ...told } = response.json();
    assert.ok(message.length > 0);
    assert.deepEqual(told, {
      state: 'success',
      code: '00',
      payload: {
        ...purchase,
        product: 'data',
        request_id: 'order-1',
        plan: 'MTN-1',
        plan_code: 'MTN-1',
        merchant_name: 'Demo merchant',
        ...localTimes,
      },
    });
  }
  const failed = await edge.send('GET', '/v1/transactions/status?request_ref=failed-1');
  assert.equal(failed.json().state, 'failed');
  assert.equal(failed.json().code, '01');
  assert.equal(failed.json().payload.reason, 'provider_refused');
  assert.equal(failed.json().payload.telco_message, 'barred');
});

test('status refuses no key, several keys and bad keys, and does not find unknown ones', async () => {
  const refusals = {
    '': 400,
    '?other=1': 400,
    '?request_ref=order-1&request_id=order-1': 400,
    '?request_ref=order-1&request_ref=order-1': 400,
    '?request_ref=': 400,
    '?request_ref=a%00': 400,
    '?request_ref=%ED%A0%80': 400,
    '?request_ref=%zz': 400,
    [`?request_ref=${'x'.repeat(101)}`]: 400,
    '?request_ref=nothing': 404,
  };
  for (const [query, status] of Object.entries(refusals)) {
    const response = await edge.send('GET', `/v1/transactions/status${query}`);
    assert.equal(response.statusCode, status, query);
    assert.equal(response.json().status, 'error');
    assert.equal(response.json().code, status);
    assert.equal(typeof response.json().message, 'string');
  }
});

test('the list answers rows and page info', async (t) => {
  const full = await buildEdge({
    purchases: {
      listPurchases: async () => ({
        items: [aPurchase({ reference: 'order-1' })],
        totalItems: 21,
        totalPages: 3,
        nextCursor: purchaseId,
      }),
    },
  });
  t.after(() => full.app.close());
  const response = await full.send('GET', '/v1/transactions?page=3');
  assert.deepEqual(response.json(), {
    state: 'ok',
    result: {
      items: [
        {
          ...purchase,
          product: 'airtime',
          request_id: 'order-1',
          plan: '',
          status: 'success',
          code: '00',
          ...localTimes,
        },
      ],
      page_info: { total_items: 21, page: 3, page_size: 10, total_pages: 3, next_cursor: purchaseId },
    },
  });
});

test('accepts the filters of the list in every spelling', async () => {
  const filters: readonly [string, object][] = [
    ['', { page: 1, limit: 10 }],
    ['?page=2&limit=100', { page: 2, limit: 100 }],
    ['?page=10000&limit=1', { page: 10_000, limit: 1 }],
    ['?page=100&limit=100', { page: 100, limit: 100 }],
    [`?cursor=${purchaseId}&status=0`, { page: 1, limit: 10, cursor: purchaseId, status: 'success' }],
    ['?msisdn=08031234567', { page: 1, limit: 10, recipients: ['08031234567', '2348031234567'] }],
    ['?msisdn=%2B2348031234567', { page: 1, limit: 10, recipients: ['+2348031234567', '2348031234567'] }],
    ['?msisdn=2348031234567', { page: 1, limit: 10, recipients: ['2348031234567'] }],
    ['?msisdn=10000000001', { page: 1, limit: 10, recipients: ['10000000001'] }],
    ['?msisdn=TESTBET001', { page: 1, limit: 10, recipients: ['TESTBET001'] }],
    ['?network=Mtn', { page: 1, limit: 10, network: 'MTN' }],
    ['?network=t2', { page: 1, limit: 10, network: '9MOBILE' }],
    ['?network=ikeja%20electric', { page: 1, limit: 10, network: 'Ikeja Electric' }],
    ['?network=Eko%20Electric', { page: 1, limit: 10, network: 'EKEDC' }],
    ['?status=0', { page: 1, limit: 10, status: 'success' }],
    ['?status=00', { page: 1, limit: 10, status: 'success' }],
    ['?status=1', { page: 1, limit: 10, status: 'failed' }],
    ['?status=01', { page: 1, limit: 10, status: 'failed' }],
    ['?status=2', { page: 1, limit: 10, status: 'pending' }],
    ['?status=02', { page: 1, limit: 10, status: 'pending' }],
    ['?unknown=1', { page: 1, limit: 10 }],
  ];
  for (const [query, expected] of filters) {
    edge.filters.length = 0;
    const response = await edge.send('GET', `/v1/transactions${query}`);
    assert.equal(response.statusCode, 200, query);
    assert.deepEqual(edge.filters, [expected], query);
  }
});

test('the list refuses invalid filters and names them', async () => {
  const wrong = {
    page: ['abc', '1.5', '-1', '0', '1e2', ' 1', '9'.repeat(30), '1&page=2', '0x1', '%2B1'],
    cursor: [
      '1',
      'x',
      `${purchaseId}.`,
      purchaseId.toUpperCase(),
      `${purchaseId}&page=2`,
      `${purchaseId}&cursor=${purchaseId}`,
    ],
    limit: ['101', '0', 'ten', '1.0', '10&limit=10'],
    status: ['3', 'success', '000', '-1', '0&status=1'],
    network: ['vodafone', 'mtn&network=glo', 'mtn%00'],
    msisdn: ['%00', '%20', '%27abc', '0803%0A', 'x'.repeat(65), '08031234567&msisdn=08031234567'],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      edge.filters.length = 0;
      const response = await edge.send('GET', `/v1/transactions?${field}=${value}`);
      assert.equal(response.statusCode, 400, `${field}=${value}`);
      assert.deepEqual(faultyFields(response), [field], `${field}=${value}`);
      assert.equal(edge.filters.length, 0);
    }
  }
  const two = await edge.send('GET', '/v1/transactions?page=x&limit=y');
  assert.deepEqual(faultyFields(two), ['page', 'limit']);
});

test('plans are listed by network, in every spelling of it', async () => {
  for (const network of ['mtn', 'MTN', 'Mtn']) {
    const response = await edge.send('GET', `/v1/plans/${network}`);
    assert.equal(response.statusCode, 200);
    assert.deepEqual(response.json(), {
      status: '2000',
      description: 'Data plans of MTN',
      data: [
        {
          plan_code: 'MTN-1',
          id: 1001,
          name: 'Name',
          description: 'Description',
          price: '100.00',
          tarrifTypeId: '1010',
          validity: '1 day',
          value: '110MB',
          group: 'Daily',
          kind: 'direct',
          shortCode: 'SHORT',
        },
      ],
    });
  }
  for (const [kind, count] of [
    ['direct', 1],
    ['sme', 0],
  ] as const) {
    const response = await edge.send('GET', `/v1/plans/mtn?kind=${kind}`);
    assert.equal(response.statusCode, 200);
    assert.equal(response.json().data.length, count, kind);
  }
  const unknown = await edge.send('GET', '/v1/plans/mtn?kind=vtu');
  assert.equal(unknown.statusCode, 400);
  assert.deepEqual(faultsOf(unknown), [['kind', 'field_invalid']]);
  for (const network of ['vodafone', 'mtn%20', 'x'.repeat(150), '%00', 'DSTV']) {
    const response = await edge.send('GET', `/v1/plans/${network}`);
    assert.equal(response.statusCode, 400, network);
    assert.deepEqual(faultsOf(response), [['network', 'field_invalid']]);
  }
});

test('bill plans are listed by product, in any letter case, and by network, under any of its names', async () => {
  const ikeja = {
    id: 2001,
    name: 'Plan 2001',
    network: 'Ikeja Electric',
    product: 'ELECTRICITY',
    amount_type: 'variable',
  };
  const eko = { ...ikeja, id: 2003, name: 'Plan 2003', network: 'EKEDC' };
  for (const [path, description, data] of [
    ['electricity', 'Plans of ELECTRICITY', [ikeja, eko]],
    ['ELECTRICITY?network=ekedc', 'Plans of EKEDC ELECTRICITY', [eko]],
    ['Electricity?network=eko%20electric', 'Plans of EKEDC ELECTRICITY', [eko]],
    ['betting', 'Plans of BETTING', []],
    [
      'cable',
      'Plans of CABLE',
      [
        {
          id: 2101,
          name: 'Plan 2101',
          network: 'DSTV',
          product: 'CABLE',
          amount_type: 'fixed',
          price: '4400.00',
        },
      ],
    ],
  ] as const) {
    const response = await edge.send('GET', `/v1/plans/bills/${path}`);
    assert.equal(response.statusCode, 200, path);
    assert.deepEqual(response.json(), { status: '2000', description, data }, path);
  }
  for (const [path, field, reason] of [
    ['gas', 'product', 'field_invalid'],
    ['airtime', 'product', 'field_invalid'],
    ['%00', 'product', 'field_invalid'],
    ['cable?network=EKEDC', 'network', 'network_unknown'],
    ['cable?network=DSTV&network=DSTV', 'network', 'field_repeated'],
    [`cable?network=${'x'.repeat(10_000)}`, 'network', 'field_invalid'],
  ] as const) {
    const response = await edge.send('GET', `/v1/plans/bills/${path}`);
    assert.equal(response.statusCode, 400, path);
    assert.deepEqual(faultsOf(response), [[field, reason]]);
    if (reason === 'network_unknown') assert.ok(response.json().message.includes('DSTV'));
  }
});

test('the balance shows the ledger, held and available amounts, and the floor', async () => {
  const prepaid = await edge.send('GET', '/v1/wallet/balance');
  assert.deepEqual(prepaid.json(), {
    state: 'ok',
    result: {
      merchant_id: 7,
      currency: 'NGN',
      balance: '250000.00',
      billing_mode: 'prepaid',
      credit_floor: '0.00',
      held: '100.00',
      available: '249900.00',
    },
  });
  const postpaid = await edge.send('GET', '/v1/wallet/balance?currency=USD');
  assert.deepEqual(postpaid.json().result, {
    merchant_id: 7,
    currency: 'USD',
    balance: '-50.00',
    billing_mode: 'postpaid',
    credit_floor: '-1000.00',
    held: '0.00',
    available: '950.00',
  });
  assert.equal((await edge.send('GET', '/v1/wallet/balance?currency=EUR')).statusCode, 404);
  for (const currency of ['XYZ', 'NGN&currency=NGN']) {
    const response = await edge.send('GET', `/v1/wallet/balance?currency=${currency}`);
    assert.equal(response.statusCode, 400, currency);
    assert.deepEqual(faultyFields(response), ['currency']);
  }
});

test('health and readiness are each 200 or 503 by the state of the process', async (t) => {
  const response = await edge.app.inject({ url: '/v1/healthz' });
  assert.equal(response.statusCode, 200);
  const { uptime_s, ...rest } = response.json();
  assert.ok(Number.isInteger(uptime_s));
  assert.deepEqual(rest, { status: 'ok', version: '1.2.3', checks: { database: 'ok', jobs: 'ok' } });
  const ready = await edge.app.inject({ url: '/readyz' });
  assert.deepEqual([ready.statusCode, ready.json().checks], [200, { database: 'ok' }]);
  for (const [health, readiness] of [
    [false, true],
    [true, false],
  ] as const) {
    const checks = { database: 'down', jobs: 'late: deposits (ECONNREFUSED), deliveries' };
    const down = await buildEdge({
      health: async () => ({ health: { ok: health, checks }, readiness: { ok: readiness, checks } }),
    });
    t.after(() => down.app.close());
    for (const [url, ok] of [
      ['/v1/healthz', health],
      ['/readyz', readiness],
    ] as const) {
      const answer = await down.app.inject({ url });
      assert.equal(answer.statusCode, ok ? 200 : 503);
      assert.equal(answer.json().status, ok ? 'ok' : 'error');
      assert.deepEqual(answer.json().checks, checks);
    }
  }
});

test('a callback is passed to its provider unchecked; for an unknown provider it is 404', async (t) => {
  const heard: [string, unknown, string, string | undefined][] = [];
  const listening = await buildEdge({
    providerCallback: async (provider, body, headers, raw) => {
      heard.push([provider, body, raw, headers['content-type']]);
      return provider === 'vtpass';
    },
  });
  t.after(() => listening.app.close());
  const post = (provider: string, payload: string) =>
    listening.app.inject({
      method: 'POST',
      url: `/hooks/${provider}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    });
  // The signature covers the raw bytes, including spaces.
  const payload = '{ "type":"transaction-update", "name":"Adé" }';
  const taken = await post('vtpass', payload);
  assert.equal(taken.statusCode, 200);
  assert.deepEqual(taken.json(), { response: 'success' });
  assert.deepEqual(heard, [
    ['vtpass', { type: 'transaction-update', name: 'Adé' }, payload, 'application/x-www-form-urlencoded'],
  ]);
  assert.equal((await post('nobody', '{}')).statusCode, 404);
  heard.length = 0;
  assert.equal((await post('VTPASS', '{}')).statusCode, 404);
  assert.equal((await post('vtpass', '{')).statusCode, 400);
  assert.equal((await post('vtpass', '"\\u0000"')).statusCode, 400);
  assert.equal((await post('vtpass', JSON.stringify('x'.repeat(70_000)))).statusCode, 400);
  assert.equal(heard.length, 0);
});

test('unknown paths, other methods and undecodable paths are refused in our body', async () => {
  for (const [method, url, status] of [
    ['GET', '/', 404],
    ['GET', '/v1', 404],
    ['GET', '/v1/nothing', 404],
    ['GET', '/v2/transactions', 404],
    ['POST', '/v1/healthz', 405],
    ['GET', '/v1/transactions/airtime/sync', 405],
    ['GET', '/v1/transactions/../../etc/passwd', 404],
    ['GET', '/v1/plans/%zz', 400],
    ['GET', '/v1/plans/%', 400],
    ['GET', '/%c0%af', 400],
    ['GET', '/v1/transactions?limit=%', 400],
  ] as const) {
    const response = await edge.send(method, url);
    assert.equal(response.statusCode, status, url);
    assert.equal(response.json().status, 'error');
    assert.equal(response.json().code, status);
  }
  for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
    const response = await edge.app.inject({ method, url: '/v1/transactions' });
    assert.equal(response.statusCode, 405, method);
    assert.equal(response.json().code, 405);
  }
});
