/**
 * The API looks a reference up only before it refuses a create. Also its answer if the lookup
 * fails.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ServerDependencies } from '../../src/api/dependencies.ts';
import { GatewayError } from '../../src/core/errors.ts';
import { airtimeSync, buildEdge, goodAirtime, purchaseId } from './harness.ts';

type Find = ServerDependencies['purchases']['findFirstUse'];

type Compare = ServerDependencies['purchases']['compareWithFirst'];

async function openEdge(find: Find, purchases: Partial<ServerDependencies['purchases']> = {}) {
  const asked: string[] = [];
  const findFirstUse: Find = (principal, reference) => {
    asked.push(reference);
    return find(principal, reference);
  };
  const edge = await buildEdge({ purchases: { ...purchases, findFirstUse } });
  after(() => edge.app.close());
  return { asked, ...edge };
}

const wrong = { ...goodAirtime, amount: 'much' };
const free: Find = async () => undefined;

test('queries nothing for an accepted create, a lookup or a body without a reference', async () => {
  const { asked, send } = await openEdge(free);
  assert.equal((await send('POST', airtimeSync, goodAirtime)).statusCode, 200);
  assert.equal((await send('GET', '/v1/transactions/status?request_ref=x')).statusCode, 404);
  assert.equal((await send('POST', '/v1/transactions/verify', wrong)).statusCode, 400);
  for (const body of ['{', '[]', 'null', '{}', { ...wrong, request_ref: 7 }, { ...wrong, request_ref: '' }]) {
    assert.ok([400, 422].includes((await send('POST', airtimeSync, body)).statusCode));
  }
  const tooLong = { ...wrong, request_ref: 'x'.repeat(201) };
  assert.equal((await send('POST', airtimeSync, tooLong)).statusCode, 400);
  assert.deepEqual(asked, []);
});

test('a refused create queries once, by the key name of its route', async () => {
  const { asked, send } = await openEdge(free);
  assert.equal((await send('POST', airtimeSync, wrong)).statusCode, 400);
  const { request_ref: client_request_id, ...rest } = wrong;
  assert.equal((await send('POST', airtimeSync, { ...rest, client_request_id })).statusCode, 400);
  assert.equal((await send('POST', '/v1/giftcards/orders', { request_id: 'card-1' })).statusCode, 422);
  assert.equal((await send('POST', '/v1/esim/orders', { request_id: 'esim-1' })).statusCode, 422);
  assert.equal((await send('POST', '/v1/giftcards/redeem', { request_id: 'esim-2' })).statusCode, 422);
  assert.deepEqual(asked, ['order-1', 'order-1', 'card-1', 'esim-1', 'esim-2']);
});

test('a reference is looked up with any characters that can be stored', async () => {
  const { asked, send } = await openEdge(free);
  const references = ['x'.repeat(100), '😀'.repeat(100), `${'é'.repeat(99)}😀`];
  for (const request_ref of references) {
    assert.equal((await send('POST', airtimeSync, { ...goodAirtime, request_ref })).statusCode, 200);
    assert.equal((await send('POST', airtimeSync, { ...wrong, request_ref })).statusCode, 400);
  }
  assert.deepEqual(asked, references);
});

test('a used reference is reported instead of the fault', async () => {
  const { send } = await openEdge(async () => ({ id: purchaseId, status: 'failed' }));
  const response = await send('POST', '/v1/giftcards/orders', { request_id: 'card-1', plan_id: 'none' });
  assert.equal(response.statusCode, 422);
  const { errors, data } = response.json();
  assert.deepEqual([errors[0].field, errors[0].reason], ['request_id', 'reference_used']);
  assert.deepEqual(data, {
    request_id: 'card-1',
    internal_reference: purchaseId,
    status: 'failed',
    response_code: '01',
  });
});

test('a reference that cannot be looked up is 503, without a claim that nothing was stored', async () => {
  const failing = await openEdge(() => Promise.reject(new GatewayError({ code: 'database_away' })));
  const stalled = await openEdge(() => new Promise(() => undefined));
  for (const { send } of [failing, stalled]) {
    const response = await send('POST', airtimeSync, wrong);
    assert.equal(response.statusCode, 503);
    assert.equal(response.headers['retry-after'], '1');
    assert.equal(response.json().reason, 'database_away');
  }
});

test('a refusal of the database itself is reported without a second query', async () => {
  for (const code of ['purchase_not_stored', 'database_away'] as const) {
    const purchase = () => Promise.reject(new GatewayError({ code }));
    const { asked, send } = await openEdge(free, { purchase });
    assert.equal((await send('POST', airtimeSync, goodAirtime)).statusCode, 503);
    assert.deepEqual(asked, []);
  }
});

test('differences are reported with it, and omitted when they are unknown', async () => {
  const used: Find = async () => ({ id: purchaseId, status: 'success' });
  const asked: unknown[] = [];
  const compareAs =
    (compare: Compare): Compare =>
    (principal, purchase, sent) => {
      asked.push([purchase, sent]);
      return compare(principal, purchase, sent);
    };
  const told = { differing: ['plan', 'channel'], unknown: ['address'] } as const;
  const body = { request_id: 'card-1', plan_id: 'none', send_via: 'email', destination: 7 };
  for (const [compare, fields] of [
    [
      async () => told,
      {
        differs: true,
        differing_fields: ['plan_id', 'send_via'],
        uncompared_fields: ['destination'],
      },
    ],
    [async () => ({ differing: [], unknown: [] }), { differs: false, differing_fields: [] }],
    [
      async () => ({ differing: [], unknown: ['address'] }),
      { differing_fields: [], uncompared_fields: ['destination'] },
    ],
    [() => Promise.reject(new GatewayError({ code: 'look_ups_full' })), {}],
    [() => new Promise(() => undefined), {}],
  ] as const satisfies readonly (readonly [Compare, object])[]) {
    const { send } = await openEdge(used, { compareWithFirst: compareAs(compare) });
    const response = await send('POST', '/v1/giftcards/orders', body);
    assert.equal(response.statusCode, 422);
    assert.deepEqual(response.json().data, {
      request_id: 'card-1',
      internal_reference: purchaseId,
      status: 'success',
      response_code: '00',
      ...fields,
    });
  }
  assert.deepEqual(asked[0], [
    purchaseId,
    { product: ['GIFTCARD'], plan: ['none'], quantity: [1], cardValue: [], channel: ['email'], address: [7] },
  ]);
});

test('an accepted create is not compared', async () => {
  const compareWithFirst: Compare = () => Promise.reject(new Error('compared'));
  const { send } = await openEdge(free, { compareWithFirst });
  assert.equal((await send('POST', airtimeSync, goodAirtime)).statusCode, 200);
  assert.equal((await send('POST', airtimeSync, wrong)).statusCode, 400);
});
