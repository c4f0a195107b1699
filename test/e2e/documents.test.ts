/**
 * GET /openapi.json and /docs: a valid and complete document whose examples are true, and a page
 * that loads nothing from other hosts.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { readDocument } from '../support/api-document.ts';
import { createContract } from '../support/contract.ts';
import type { Answer, CallOptions } from '../support/gateway.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  anyProduct,
  data,
  dataAsync,
  dataSync,
  newReference,
  openGatewayUnderTest,
} from './gateway-under-test.ts';
import { openShop } from './shop.ts';

// Own gateway: the document's examples buy for the demo's merchant.
const gateway = await openGatewayUnderTest();

type Media = {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
};
type Content = { readonly 'application/json'?: Media };
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: object;
  readonly example?: unknown;
};
type Response = { readonly description: string; readonly content?: Content };
type Operation = {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
  readonly security?: readonly unknown[];
};
type Document = {
  readonly openapi: string;
  readonly externalDocs?: { readonly url: string };
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly headers: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<
      Record<string, { readonly type: string; readonly in: string; readonly name: string }>
    >;
  };
};

const page = await gateway.call('GET', '/openapi.json', { as: 'nobody' });
assert.equal(page.status, 200);
const document: Document = page.body;

const contract = createContract(page.body);

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

function operationOf(method: string, path: string): Operation {
  const found = operations.find((one) => one.method === method && one.path === path);
  assert.ok(found, `${method} ${path}`);
  return found.operation;
}

/** Fails unless `value` matches `schema` of the document. */
function assertValid(schema: object, value: unknown, what: string): void {
  contract.assertValid({ ...schema }, value, what);
}

function responsesOf(operation: Operation): readonly (readonly [status: string, response: Response])[] {
  return Object.entries(operation.responses).map(([status, response]) => {
    if (!('$ref' in response)) return [status, response];
    const shared = document.components.responses[response.$ref.replace('#/components/responses/', '')];
    return [status, shared ?? assert.fail(response.$ref)];
  });
}

function examplesOf(media: Media): unknown[] {
  const many = Object.values(media.examples ?? {}).map(({ value }) => value);
  return media.example === undefined ? many : [media.example, ...many];
}

/** Every object in the document. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const item of Object.values(value)) yield* objectsIn(item);
}

describe('the OpenAPI document', () => {
  it('the document is OpenAPI 3.1, has a title, and describes authentication', () => {
    assert.match(document.openapi, /^3\.1\.\d+$/);
    assert.match(document.info.version, /^\d+\.\d+\.\d+$/);
    assert.ok(document.info.title);
    assert.deepEqual(
      Object.values(document.components.securitySchemes)
        .map((scheme) => `${scheme.type} ${scheme.in} ${scheme.name}`)
        .sort(),
      ['apiKey header X-Merchant-Key', 'apiKey header X-Merchant-Secret'],
    );
    assert.match(String(page.headers['content-type']), /^application\/json/);
  });

  it('the document has every route of the interface, and no other', () => {
    assert.deepEqual(operations.map(({ method, path }) => `${method} ${path}`).sort(), [
      'delete /v1/webhooks/endpoints/{id}',
      'get /readyz',
      'get /v1/batches',
      'get /v1/batches/{id}',
      'get /v1/batches/{id}/rows',
      'get /v1/esim/catalog',
      'get /v1/esim/orders/{request_id}',
      'get /v1/esim/orders/{request_id}/qrcode',
      'get /v1/esim/plans/{plan_id}',
      'get /v1/esim/plans/{plan_id}/quote',
      'get /v1/events',
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
      'get /v1/webhooks/deliveries',
      'get /v1/webhooks/endpoints',
      'patch /v1/batches/{id}',
      'patch /v1/webhooks/endpoints/{id}',
      'post /v1/batches',
      'post /v1/esim/orders',
      'post /v1/giftcards/orders',
      'post /v1/giftcards/quote',
      'post /v1/giftcards/redeem',
      'post /v1/test/clock',
      'post /v1/test/deposits',
      'post /v1/transactions',
      'post /v1/transactions/airtime/async',
      'post /v1/transactions/airtime/sync',
      'post /v1/transactions/data/async',
      'post /v1/transactions/data/sync',
      'post /v1/transactions/verify',
      'post /v1/wallet/funding-account',
      'post /v1/webhooks/deliveries/{id}/replay',
      'post /v1/webhooks/endpoints',
      'post /v1/webhooks/endpoints/{id}/replay',
      'post /v1/webhooks/endpoints/{id}/rotate',
      'post /v1/webhooks/endpoints/{id}/test',
    ]);
  });

  it('the document is the one that the tests validate every answer against', async () => {
    // It also states its version and the address of its guides.
    const { info, externalDocs } = document;
    assert.equal(externalDocs?.url, '/guides/');
    assert.deepEqual({ ...(await readDocument()), info, externalDocs }, document);
  });

  it('every reference resolves, and every component is used', () => {
    const used = new Set<string>();
    for (const object of objectsIn(document)) {
      if (typeof object.$ref === 'string') used.add(object.$ref);
    }
    const { schemas, responses, headers } = document.components;
    const there = Object.entries({ schemas, responses, headers }).flatMap(([kind, components]) =>
      Object.keys(components).map((name) => `#/components/${kind}/${name}`),
    );
    assert.deepEqual([...used].sort(), there.sort());
  });

  it('the document describes every operation: summary, known tags, path parameters, credentials, answers', () => {
    const tags = document.tags.map((tag) => tag.name);
    for (const { path, method, operation } of operations) {
      const what = `${method} ${path}`;
      assert.ok(operation.summary, what);
      assert.ok(operation.tags.length > 0 && operation.tags.every((tag) => tags.includes(tag)), what);
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
      const parameters = operation.parameters ?? [];
      assert.deepEqual(
        parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name),
        inPath,
      );
      assert.ok(parameters.every((parameter) => parameter.in !== 'path' || parameter.required === true));
      const hasBody =
        ['post', 'patch'].includes(method) && !/\/(?:test|deliveries\/\{id\}\/replay)$/.test(path);
      assert.equal(operation.requestBody !== undefined, hasBody, what);
      assert.deepEqual(operation.security, ['/v1/healthz', '/readyz'].includes(path) ? [] : undefined, what);
      assert.ok(
        responsesOf(operation).every(([, response]) => response.description !== ''),
        what,
      );
    }
  });

  it('the document lists every refusal of an operation', () => {
    for (const { path, method, operation } of operations) {
      const statuses = Object.keys(operation.responses);
      const create = ['200', '400', '401', '403', '404', '422', '429', '500', '503'];
      const look = ['200', '400', '401', '403', '429', '500', '503'];
      const find = ['200', '400', '401', '403', '404', '429', '500', '503'];
      const expected: Record<string, string[]> = {
        'get /v1/esim/catalog': look,
        'get /v1/esim/orders/{request_id}': find,
        'get /v1/esim/orders/{request_id}/qrcode': find,
        'get /v1/esim/plans/{plan_id}': find,
        'get /v1/esim/plans/{plan_id}/quote': find,
        'get /v1/giftcards/catalog': look,
        'get /v1/giftcards/orders/{request_id}': find,
        'get /v1/giftcards/plans/{plan_id}/availability': [
          '200',
          '400',
          '401',
          '403',
          '429',
          '500',
          '502',
          '503',
        ],
        'get /v1/giftcards/plans/{plan_id}/quote': look,
        'post /v1/giftcards/quote': ['200', '400', '401', '403', '422', '429', '500', '503'],
        'post /v1/giftcards/orders': ['200', '400', '401', '403', '404', '422', '429', '500', '502', '503'],
        'get /readyz': ['200', '400', '503'],
        'get /v1/healthz': ['200', '400', '503'],
        'get /v1/plans/bills/{product}': ['200', '400', '401', '403', '429', '500', '503'],
        'post /v1/transactions/verify': ['200', '400', '401', '403', '404', '429', '500', '502', '503'],
        'get /v1/plans/{network}': ['200', '400', '401', '403', '429', '500', '503'],
        'get /v1/transactions': ['200', '400', '401', '403', '429', '500', '503'],
        'get /v1/transactions/status': ['200', '400', '401', '403', '404', '429', '500', '503'],
        'get /v1/wallet/balance': ['200', '400', '401', '403', '404', '429', '500', '503'],
        'get /v1/wallet/funding-account': ['200', '400', '401', '403', '404', '429', '500', '503'],
        'get /v1/wallet/mtn/balance': ['200', '400', '401', '403', '429', '500', '502', '503'],
        'get /v1/wallet/statement': ['200', '400', '401', '403', '404', '429', '500', '503'],
        'post /v1/wallet/funding-account': [...create, '408', '502'],
        'get /v1/events': look,
        'get /v1/webhooks/endpoints': look,
        'get /v1/webhooks/deliveries': find,
        'post /v1/webhooks/endpoints': create.filter((status) => status !== '404'),
        'post /v1/webhooks/endpoints/{id}/test': find,
        'post /v1/webhooks/endpoints/{id}/rotate': find,
        'post /v1/webhooks/deliveries/{id}/replay': find,
        'patch /v1/webhooks/endpoints/{id}': find,
        'delete /v1/webhooks/endpoints/{id}': find,
        'get /v1/batches': look,
        'get /v1/batches/{id}': find,
        'get /v1/batches/{id}/rows': find,
        'patch /v1/batches/{id}': create,
        'post /v1/batches': create.filter((status) => status !== '404'),
        'post /v1/test/clock': create.filter((status) => status !== '404'),
        'post /v1/test/deposits': create,
      };
      const own = expected[`${method} ${path}`] ?? create;
      // Catalogs and their items are revalidated by ETag.
      const isCatalog = /\/catalog$|^\/v1\/plans\/|\/esim\/plans\/\{plan_id\}$/.test(path);
      const again = isCatalog ? ['304'] : [];
      assert.deepEqual(statuses, [...own, ...again].sort(), `${method} ${path}`);
    }
  });

  it('the document has an example for every body and answer, and each fits its schema', () => {
    for (const { path, method, operation } of operations) {
      const contents: [string, Content | undefined][] = responsesOf(operation).map(
        ([status, { content }]) => [status, content],
      );
      if (operation.requestBody) contents.push(['body', operation.requestBody.content]);
      for (const [what, content] of contents) {
        if (what === '304' || (content !== undefined && 'image/png' in content)) continue;
        const media = content?.['application/json'];
        assert.ok(media, `${method} ${path} ${what}`);
        const examples = examplesOf(media);
        assert.ok(examples.length > 0, `${method} ${path} ${what} has no example`);
        for (const example of examples) assertValid(media.schema, example, `${method} ${path} ${what}`);
      }
      for (const { name, schema, example } of operation.parameters ?? []) {
        if (example !== undefined) assertValid(schema, example, `${method} ${path} ${name}`);
      }
    }
  });

  it('detects an example that does not fit', () => {
    const { schema } =
      operationOf('post', airtimeSync).requestBody?.content['application/json'] ?? assert.fail();
    assertValid(schema, airtime(), 'a good body');
    assert.throws(() => assertValid(schema, airtime({ amount: 'ten' }), 'a bad amount'));
    assert.throws(() => assertValid(schema, airtime({ msisdn: 8031234567 }), 'a number'));
    assert.throws(() => assertValid(schema, {}, 'nothing'));
  });

  it('example bodies can be sent as they are', async () => {
    const { body: made } = await gateway.call('POST', '/v1/webhooks/endpoints', {
      body: { url: 'https://shop.example/webhooks' },
    });
    // More pending rows than a batch buys at once: it continues until it is stopped.
    const rows = Array.from({ length: 40 }, (_, row) => `08000000401,MTN,${100 + row}`);
    const { body: batch } = await gateway.call('POST', '/v1/batches', {
      body: { csv: ['Phone,Network,Amount', ...rows].join('\n') },
    });
    for (const { path, method, operation } of operations) {
      const media = operation.requestBody?.content['application/json'];
      for (const example of media === undefined ? [] : examplesOf(media)) {
        const name = 'client_request_id' in (example as object) ? 'client_request_id' : 'request_ref';
        const body = { ...(example as object), [name]: newReference() };
        const url = path.replace('{id}', (path.includes('batches') ? batch : made).data.id);
        const answer = await gateway.call(method === 'post' ? 'POST' : 'PATCH', url, { body });
        // The example's voucher was never issued: it is valid input and refused.
        const refused = path === '/v1/giftcards/redeem' && answer.body.reason === 'no_such_voucher';
        assert.equal(answer.status, refused ? 400 : 200, `${path}: ${answer.text}`);
      }
    }
  });
});

describe('the answers of routes', () => {
  async function assertAsDocumented(
    method: 'GET' | 'POST',
    path: string,
    status: number,
    options: CallOptions = {},
    query = '',
  ): Promise<Answer> {
    const answer = await gateway.call(method, `${path.replace('{network}', 'mtn')}${query}`, options);
    assert.equal(answer.status, status, answer.text);
    const responses = new Map(responsesOf(operationOf(method.toLowerCase(), path)));
    const response = responses.get(String(status));
    assert.ok(response, `${path} ${status}`);
    const media = response.content?.['application/json'] ?? assert.fail();
    assertValid(media.schema, answer.body, `${method} ${path} ${status}`);
    return answer;
  }

  it('answers match the document on every create', async () => {
    const shop = await openShop(gateway, { balance: 0n });
    for (const [path, body] of [
      [airtimeSync, airtime],
      [airtimeAsync, airtime],
      [dataSync, data],
      [dataAsync, data],
      [anyProduct, (fields: object) => airtime({ product: 'airtime', ...fields })],
    ] as const) {
      const good = body({});
      await assertAsDocumented('POST', path, 200, { body: good });
      await assertAsDocumented('POST', path, 200, { body: body({ msisdn: '08000000001' }) });
      await assertAsDocumented('POST', path, 200, { as: shop.live, body: body({ merchant: shop.code }) });
      await assertAsDocumented('POST', path, 422, { body: good });
      await assertAsDocumented('POST', path, 422, { body: {} });
      await assertAsDocumented('POST', path, 400, { body: '{' });
      await assertAsDocumented('POST', path, 400, { body: body({ amount: 'x' }) });
      await assertAsDocumented('POST', path, 401, { as: 'nobody', body: good });
      await assertAsDocumented('POST', path, 403, { body: body({ merchant: shop.code }) });
      await assertAsDocumented('POST', path, 404, { body: body({ merchant: 'NOBODY' }) });
    }
  });

  it('answers match the document on every lookup', async () => {
    const body = airtime();
    await gateway.call('POST', airtimeSync, { body });
    const status = '/v1/transactions/status';
    await assertAsDocumented('GET', status, 200, {}, `?request_ref=${body.request_ref}`);
    await assertAsDocumented('GET', status, 400);
    await assertAsDocumented('GET', status, 404, {}, '?request_ref=none');
    await assertAsDocumented('GET', anyProduct, 200);
    await assertAsDocumented('GET', anyProduct, 400, {}, '?page=x');
    await assertAsDocumented('GET', '/v1/plans/{network}', 200);
    await assertAsDocumented('GET', '/v1/wallet/balance', 200);
    await assertAsDocumented('GET', '/v1/wallet/balance', 404, {}, '?currency=USD');
    await assertAsDocumented('GET', '/v1/wallet/balance', 401, { as: 'nobody' });
    await assertAsDocumented('GET', '/v1/healthz', 200, { as: 'nobody' });
    await assertAsDocumented('GET', '/readyz', 200, { as: 'nobody' });
  });
});

describe('/docs', () => {
  const tags = /<(?:script|link|img|iframe|object|embed|source)\b[^>]*?\b(?:src|href|data)="([^"]+)"/g;

  it('/docs loads only from this server', async () => {
    const html = await gateway.call('GET', '/docs', { as: 'nobody' });
    assert.equal(html.status, 200);
    assert.match(String(html.headers['content-type']), /^text\/html/);
    const policy = String(html.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'/);
    assert.ok(!/https?:|\*/.test(policy), policy);
    const assets = [...html.text.matchAll(tags)].map(([, address]) => String(address));
    assert.ok(assets.length >= 4, html.text);
    for (const asset of assets) {
      assert.match(asset, /^\/docs\//);
      const answer = await gateway.call('GET', asset, { as: 'nobody' });
      assert.equal(answer.status, 200, asset);
      assert.ok(answer.text.length > 100, asset);
      if (asset.endsWith('.css')) assert.ok(!/url\(\s*['"]?https?:|@import/.test(answer.text), asset);
    }
    assert.ok(!/<script>|<script [^>]*>[^<\s]/.test(html.text), 'a script within the page');
  });

  it('/docs shows the served document', async () => {
    const start = await gateway.call('GET', '/docs/static/swagger-initializer.js', { as: 'nobody' });
    assert.ok(start.text.includes("url: resolveUrl('./json')"));
    const shown = await gateway.call('GET', '/docs/json', { as: 'nobody' });
    assert.deepEqual(shown.body, document);
  });

  /** Starts the page as a browser does. `stored` is its local storage. */
  async function startPage(stored: Map<string, string> = new Map()) {
    const start = await gateway.call('GET', '/docs/static/swagger-initializer.js', { as: 'nobody' });
    // biome-ignore lint/suspicious/noExplicitAny: the page's settings are looked into by name
    let config: any;
    const bundle = Object.assign(
      (given: unknown) => {
        config = given;
        return { initOAuth: () => undefined };
      },
      { presets: {}, plugins: {} },
    );
    const window = { location: { href: 'http://gateway/docs' }, onload: () => undefined };
    runInNewContext(`${start.text};window.onload()`, {
      window,
      SwaggerUIBundle: bundle,
      SwaggerUIStandalonePreset: {},
      document: { createElement: () => ({}) },
      localStorage: {
        getItem: (name: string) => stored.get(name) ?? null,
        setItem: (name: string, value: string) => stored.set(name, value),
      },
    });
    return config;
  }

  it('/docs sends an example with a fresh reference each time, and anything else unchanged', async () => {
    const { requestInterceptor } = await startPage();
    const keys = ['request_ref', 'client_request_id', 'request_id'];
    let examples = 0;
    for (const { path, method, operation } of operations) {
      const media = Object.values(operation.requestBody?.content ?? {}) as readonly Media[];
      for (const { value } of media.flatMap(({ examples = {} }) => Object.values(examples))) {
        const body = value as Record<string, string>;
        const key = keys.find((one) => one in body);
        if (key === undefined) continue;
        examples += 1;
        const sendWith = (sent: unknown) =>
          requestInterceptor({ method: method.toUpperCase(), url: path, body: JSON.stringify(sent) });
        const sent = [sendWith(body), sendWith(body)].map((request) => JSON.parse(request.body));
        for (const one of sent) {
          assert.match(one[key], /^[a-z]+-try-[a-z0-9]+-[a-z0-9]+$/, path);
          assert.ok(one[key].length <= 40);
          assert.deepEqual({ ...one, [key]: '' }, { ...body, [key]: '' });
        }
        assert.notEqual(sent[0][key], sent[1][key]);
        const query = { method: 'GET', url: `/v1/transactions/status?request_ref=${body[key]}` };
        assert.ok(requestInterceptor(query).url.endsWith(`=${sent[1][key]}`));
        const own = { ...body, [key]: 'my-own-1' };
        assert.deepEqual(JSON.parse(sendWith(own).body), own);
      }
    }
    assert.ok(examples >= 15, `${examples} examples have a reference`);
    const other = { method: 'POST', url: '/v1/x', body: 'no JSON: order-20261121-0001' };
    assert.deepEqual(requestInterceptor({ ...other }), other);
  });

  it('/docs keeps credentials, but no secret of live ones', async () => {
    const stored = new Map<string, string>();
    const config = await startPage(stored);
    assert.equal(config.persistAuthorization, true);
    const [plugin] = config.plugins;
    const { persistAuthorizationIfNeeded: wrap } = plugin().statePlugins.auth.wrapActions;
    const merchantSecret = { value: 's' };
    for (const [key, kept] of [
      ['oja_test_a', { merchantKey: { value: 'oja_test_a' }, merchantSecret }],
      ['oja_live_a', { merchantKey: { value: 'oja_live_a' } }],
      [undefined, {}],
    ] as const) {
      const whole = { ...(key && { merchantKey: { value: key } }), merchantSecret };
      wrap(() => stored.set('authorized', JSON.stringify(whole)))();
      assert.deepEqual(JSON.parse(stored.get('authorized') ?? ''), kept);
    }
  });
});
