/** Conventions of HTTP: methods of a path, request ids, caching, slashes. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { airtimeSync, buildEdge, credentials, goodAirtime } from './harness.ts';

const edge = await buildEdge();
after(() => edge.app.close());

test('an unsupported method is 405 and lists the supported ones; an unknown path is 404', async () => {
  for (const [method, url, allow] of [
    ['DELETE', '/v1/transactions', 'GET, HEAD, OPTIONS, POST'],
    ['GET', airtimeSync, 'OPTIONS, POST'],
    ['PATCH', `${airtimeSync}/`, 'OPTIONS, POST'],
    ['POST', '/v1/esim/orders/esim-1/qrcode?x=1', 'GET, HEAD, OPTIONS'],
    ['PUT', '/v1/healthz', 'GET, HEAD, OPTIONS'],
  ] as const) {
    const response = await edge.app.inject({ method, url });
    assert.equal(response.statusCode, 405, url);
    assert.equal(response.headers.allow, allow);
    assert.equal(response.json().code, 405);
  }
  for (const url of ['/v2/healthz', '/v1/esim/orders/a/b', '/v1/healthzz']) {
    const response = await edge.app.inject({ method: 'DELETE', url });
    assert.equal(response.statusCode, 404, url);
    assert.equal(response.headers.allow, undefined);
  }
});

test('a well-formed X-Request-Id is used, any other is replaced', async () => {
  const answered = async (id: string) =>
    (await edge.app.inject({ url: '/v1/healthz', headers: { 'x-request-id': id } })).headers['x-request-id'];
  for (const id of ['a', '3f0c-77', 'x'.repeat(100)]) assert.equal(await answered(id), id);
  for (const id of ['', 'a b', '<script>', 'x'.repeat(101)]) assert.notEqual(await answered(id), id);
});

test('data of a merchant is never cached, and catalogs are revalidated', async () => {
  const sold = await edge.send('POST', airtimeSync, goodAirtime);
  const orders = await edge.send('GET', '/v1/giftcards/orders/card-1');
  const refused = await edge.app.inject({ url: '/v1/wallet/balance' });
  for (const { headers } of [sold, orders, refused]) assert.equal(headers['cache-control'], 'no-store');
  const catalog = await edge.send('GET', '/v1/giftcards/catalog');
  assert.equal(catalog.headers['cache-control'], 'private, no-cache');
});

test('a byte order mark before JSON is ignored; inside, it is ordinary text', async () => {
  const marked = `\ufeff${JSON.stringify({ ...goodAirtime, request_ref: 'a\ufeffb' })}`;
  assert.equal((await edge.send('POST', airtimeSync, marked)).statusCode, 200);
  assert.equal(edge.purchases.at(-1)?.request.reference, 'a\ufeffb');
  for (const body of ['\ufeff', '\ufeff\ufeff{}']) {
    assert.equal((await edge.send('POST', airtimeSync, body)).statusCode, 400);
  }
});

test('a slash at the end is ignored', async () => {
  assert.equal((await edge.send('POST', `${airtimeSync}/`, goodAirtime)).statusCode, 200);
  const catalog = await edge.app.inject({ url: '/v1/esim/catalog/', headers: credentials });
  assert.equal(catalog.statusCode, 200);
});
