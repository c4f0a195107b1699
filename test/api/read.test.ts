/**
 * Routes that only read: filters of the list, plans, health; and callbacks, which only listen. The
 * answers are read at a gateway: test/e2e/status, list, plans and wallet-balance.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildEdge, faultsOf, purchaseId } from './harness.ts';

const edge = await buildEdge({
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

test('the list takes its filters in every spelling', async () => {
  const filters: readonly [string, object][] = [
    ['', { page: 1, limit: 10 }],
    ['?page=2&limit=100', { page: 2, limit: 100 }],
    ['?page=10000&limit=1', { page: 10_000, limit: 1 }],
    ['?page=100&limit=100', { page: 100, limit: 100 }],
    [`?cursor=${purchaseId}&status=0`, { page: 1, limit: 10, cursor: purchaseId, status: 'success' }],
    ['?msisdn=08031234567', { page: 1, limit: 10, recipients: ['08031234567', '2348031234567'] }],
    ['?msisdn=%2B2348031234567', { page: 1, limit: 10, recipients: ['+2348031234567', '2348031234567'] }],
    ['?msisdn=2348031234567', { page: 1, limit: 10, recipients: ['2348031234567'] }],
    // A spreadsheet drops the leading zero, and may add decimals.
    ...['8031234567', '8031234567.0', '803%20123%204567', '8031234567.00'].map((number): [string, object] => [
      `?msisdn=${number}`,
      { page: 1, limit: 10, recipients: ['8031234567', '08031234567', '2348031234567'] },
    ]),
    ['?msisdn=08031234567.0', { page: 1, limit: 10, recipients: ['08031234567', '2348031234567'] }],
    ['?msisdn=45002000001.0', { page: 1, limit: 10, recipients: ['45002000001'] }],
    ['?msisdn=8003123456', { page: 1, limit: 10, recipients: ['8003123456'] }],
    ['?msisdn=1234567890', { page: 1, limit: 10, recipients: ['1234567890'] }],
    ['?msisdn=10000000001', { page: 1, limit: 10, recipients: ['10000000001'] }],
    ['?msisdn=TESTBET001', { page: 1, limit: 10, recipients: ['TESTBET001'] }],
    ['?network=Mtn', { page: 1, limit: 10, network: 'MTN' }],
    ['?network=t2', { page: 1, limit: 10, network: '9MOBILE' }],
    ['?network=ikeja%20electric', { page: 1, limit: 10, network: 'Ikeja Electric' }],
    ['?network=Eko%20Electric', { page: 1, limit: 10, network: 'EKEDC' }],
    ['?network=oldec', { page: 1, limit: 10, network: 'Old Electric' }],
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

test('plans are listed by kind', async () => {
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
