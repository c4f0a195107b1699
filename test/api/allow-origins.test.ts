/**
 * Browsers get no access unless the operator lists origins. OPTIONS returns the methods of a path.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { airtimeSync, buildEdge, credentials } from './harness.ts';

const shut = await buildEdge();
const open = await buildEdge({ allowedOrigins: ['https://shop.example'] });
after(async () => {
  await shut.app.close();
  await open.app.close();
});

const corsHeaders = (headers: Record<string, unknown>): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

const preflight = (edge: typeof shut, origin: string, url = airtimeSync) =>
  edge.app.inject({
    method: 'OPTIONS',
    url,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-merchant-key',
    },
  });

test('OPTIONS lists the methods of a path without credentials; an unknown path is 404', async () => {
  for (const [url, allow] of [
    [airtimeSync, 'OPTIONS, POST'],
    ['/v1/transactions', 'GET, HEAD, OPTIONS, POST'],
    ['/v1/esim/orders/a/qrcode/', 'GET, HEAD, OPTIONS'],
  ] as const) {
    const told = await shut.app.inject({ method: 'OPTIONS', url });
    assert.deepEqual([told.statusCode, told.body, told.headers.allow], [204, '', allow], url);
  }
  const none = await shut.app.inject({ method: 'OPTIONS', url: '/nowhere' });
  assert.deepEqual([none.statusCode, none.json().code], [404, 404]);
});

test('without origins no page may call', async () => {
  for (const answer of [
    await preflight(shut, 'https://shop.example'),
    await shut.app.inject({
      url: '/v1/wallet/balance',
      headers: { ...credentials, origin: 'https://shop.example' },
    }),
  ]) {
    assert.deepEqual(corsHeaders(answer.headers), []);
    assert.equal(answer.headers.vary, undefined);
  }
});

test('a page of a named origin may call, and reads refusals too', async () => {
  const asked = await preflight(open, 'https://shop.example');
  assert.equal(asked.statusCode, 204);
  assert.equal(asked.headers['access-control-allow-origin'], 'https://shop.example');
  assert.match(String(asked.headers['access-control-allow-headers']), /X-Merchant-Secret/);
  assert.match(String(asked.headers['access-control-allow-methods']), /POST/);
  assert.equal(asked.headers['access-control-allow-credentials'], undefined);
  for (const [url, status] of [
    ['/v1/plans/mtn', 200],
    ['/v1/plans/nobody', 400],
    ['/nowhere', 404],
  ] as const) {
    const answer = await open.app.inject({
      url,
      headers: { ...credentials, origin: 'https://shop.example' },
    });
    assert.equal(answer.statusCode, status);
    assert.equal(answer.headers['access-control-allow-origin'], 'https://shop.example', url);
    assert.match(String(answer.headers['access-control-expose-headers']), /Retry-After/);
    assert.match(String(answer.headers.vary), /^Origin\b/);
  }
});

test('refuses a page of another origin', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://shop.example', 'https://shop.example.evil']) {
    const asked = await preflight(open, origin);
    assert.deepEqual(corsHeaders(asked.headers), [], origin);
    assert.equal(asked.headers.vary, 'Origin');
  }
});
