/** The OpenAPI document says what the API does, and the page that shows it needs nobody else. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Value } from 'typebox/value';
import { aVend, buildEdge } from './harness.ts';

type Json = Record<string, unknown>;
type Media = { schema: Json; example?: unknown; examples?: Record<string, { value: unknown }> };
type Operation = {
  summary?: string;
  security?: unknown[];
  parameters?: { name: string; required: boolean; example?: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content: Record<string, Media> }>;
};
type Document = {
  openapi: string;
  security: Record<string, unknown>[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; securitySchemes: Record<string, Json> };
};

const edge = await buildEdge({
  vending: { findVend: async (_caller, reference) => aVend({ reference }) },
  balance: async () => ({ posted: 0n, held: 0n, floor: 0n }),
});
after(() => edge.app.close());
const document = (await edge.app.inject({ url: '/openapi.json' })).json<Document>();

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('it is OpenAPI 3.1 and describes every route of the interface', () => {
  assert.equal(document.openapi, '3.1.0');
  assert.deepEqual(operations.map(({ method, path }) => `${method} ${path}`).toSorted(), [
    'get /v1/esim/catalog',
    'get /v1/esim/orders/{request_id}',
    'get /v1/esim/orders/{request_id}/qrcode',
    'get /v1/esim/plans/{plan_id}',
    'get /v1/esim/plans/{plan_id}/quote',
    'get /v1/giftcards/catalog',
    'get /v1/giftcards/orders/{request_id}',
    'get /v1/giftcards/plans/{plan_id}/availability',
    'get /v1/giftcards/plans/{plan_id}/quote',
    'get /v1/healthz',
    'get /v1/plans/bills/{product}',
    'get /v1/plans/{network}',
    'get /v1/transactions',
    'get /v1/transactions/status',
    'get /v1/wallet/balance',
    'get /v1/wallet/funding-account',
    'get /v1/wallet/mtn/balance',
    'get /v1/wallet/statement',
    'post /v1/esim/orders',
    'post /v1/giftcards/orders',
    'post /v1/giftcards/quote',
    'post /v1/giftcards/redeem',
    'post /v1/transactions',
    'post /v1/transactions/airtime/async',
    'post /v1/transactions/airtime/sync',
    'post /v1/transactions/data/async',
    'post /v1/transactions/data/sync',
    'post /v1/transactions/verify',
    'post /v1/wallet/funding-account',
  ]);
  assert.deepEqual(document.security, [{ merchantKey: [], merchantSecret: [] }]);
  assert.deepEqual(
    Object.values(document.components.securitySchemes).map(({ in: place, name }) => [place, name]),
    [
      ['header', 'X-Merchant-Key'],
      ['header', 'X-Merchant-Secret'],
    ],
  );
});

test('every route lists every refusal it can give, with an example that is one', () => {
  for (const { path, method, operation } of operations) {
    for (const status of statusesOf(method, path)) {
      // An image, not JSON.
      if (path.endsWith('/qrcode') && status === '200') continue;
      const answer = operation.responses[status];
      assert.ok(answer, `${method} ${path} ${status}`);
      assert.notEqual(answer.description, 'Default Response');
      const media = answer.content?.['application/json'];
      assert.ok(media?.example, `${method} ${path} ${status} has an example`);
      if (Number(status) >= 400 && path !== '/v1/healthz') {
        const { status: word, code, message } = media.example as Json;
        assert.deepEqual([word, code, typeof message], ['error', Number(status), 'string']);
      }
    }
  }
});

function statusesOf(method: string, path: string): string[] {
  if (path === '/v1/healthz') return ['200', '503'];
  const common = ['200', '400', '401', '403', '429', '500', '503'];
  if (path === '/v1/transactions/verify') return [...common, '404', '502'];
  if (path === '/v1/giftcards/quote') return [...common, '422'];
  if (path.endsWith('/orders')) return [...common, '422'];
  return method === 'post' ? [...common, '404', '422'] : common;
}

test('the examples of the answers obey their schemas', () => {
  for (const { path, method, operation } of operations) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      if (path.endsWith('/qrcode') && status === '200') continue;
      const media = answer.content['application/json'];
      assert.ok(media);
      assert.ok(Value.Check(resolve(media.schema), media.example), `${method} ${path} ${status}`);
    }
  }
  const error = resolve({ $ref: '#/components/schemas/Error' });
  assert.equal(Value.Check(error, { status: 'error', code: '400', message: 'x' }), false);
});

test('the examples of the requests are accepted', async () => {
  let count = 0;
  for (const { path, operation } of operations) {
    const media = operation.requestBody?.content['application/json'];
    if (media === undefined) continue;
    const examples = media.examples
      ? Object.values(media.examples).map(({ value }) => value)
      : [media.example];
    for (const example of examples) {
      const response = await edge.send('POST', path, example);
      assert.equal(response.statusCode, 200, `${path} ${response.body}`);
      count += 1;
    }
  }
  assert.equal(count, 13);
  for (const { path, operation } of operations.filter(({ method }) => method === 'get')) {
    const parameters = operation.parameters ?? [];
    const base = parameters.reduce((url, { name, example = '' }) => url.replace(`{${name}}`, example), path);
    for (const { name, example } of parameters) {
      if (example === undefined) continue;
      const url = path.includes(`{${name}}`) ? base : `${base}?${name}=${example}`;
      assert.equal((await edge.send('GET', url)).statusCode, 200, url);
    }
  }
});

test('every name that is referred to exists', () => {
  const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name,
  );
  assert.ok(names.length > 50);
  for (const name of names) assert.ok(document.components.schemas[name ?? ''], String(name));
});

test('optional parameters are optional', () => {
  const list = document.paths['/v1/transactions']?.get;
  assert.deepEqual(
    list?.parameters?.map(({ name, required }) => [name, required]),
    ['page', 'limit', 'cursor', 'msisdn', 'network', 'status'].map((name) => [name, false]),
  );
});

test('the page and all it loads come from here', async () => {
  for (const url of ['/docs', '/docs/']) {
    const page = await edge.app.inject({ url });
    assert.equal(page.statusCode, 200);
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'.*connect-src 'self'/);
    assert.doesNotMatch(page.body, /(?:src|href)="(?:https?:)?\/\//);
    const links = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    assert.ok(links.length >= 6);
    for (const link of links) {
      const asset = await edge.app.inject({ url: new URL(link, `http://x${url}`).pathname });
      assert.equal(asset.statusCode, 200, link);
    }
  }
  const described = await edge.app.inject({ url: '/docs/json' });
  assert.deepEqual(described.json(), document);
});

/** `schema` with its references followed. */
function resolve(schema: unknown): Json {
  return JSON.parse(
    JSON.stringify(schema, (_key, value) => {
      const reference: unknown = typeof value === 'object' && value !== null ? value.$ref : undefined;
      return typeof reference === 'string'
        ? document.components.schemas[reference.slice(reference.lastIndexOf('/') + 1)]
        : value;
    }),
  );
}
