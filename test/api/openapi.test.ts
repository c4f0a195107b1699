/** The OpenAPI document describes the API. The guides are served beside it. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Reason, reasons } from '../../src/api/plumbing/reasons.ts';
import { isBillProduct, productNames, products } from '../../src/core/products/product.ts';
import { eventTypes } from '../../src/notifications/events/event.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { type ApiDocument, createContract } from '../support/contract.ts';
import { aPurchase, buildEdge, purchaseId } from './harness.ts';

type Json = Readonly<Record<string, unknown>>;
type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
type Media = { readonly schema: Json; readonly examples: Examples };
type Response = {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, Media>>;
};
type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly example?: string;
    readonly schema: Json;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
};
type Document = {
  readonly openapi: string;
  readonly security: readonly Json[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
};

const edge = await buildEdge({
  purchases: { findPurchase: async (_caller, reference) => aPurchase({ reference }) },
  wallets: { balance: async () => ({ posted: 0n, held: 0n, floor: 0n }) },
});
after(() => edge.app.close());
const document = (await edge.app.inject({ url: '/openapi.json' })).json<Document>();

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('it is OpenAPI 3.1 and describes the credential', () => {
  assert.equal(document.openapi, '3.1.0');
  assert.deepEqual(document.security, [{ merchantKey: [], merchantSecret: [] }]);
  assert.deepEqual(
    Object.values(document.components.securitySchemes ?? {}).map(({ in: place, name }) => [place, name]),
    [
      ['header', 'X-Merchant-Key'],
      ['header', 'X-Merchant-Secret'],
    ],
  );
});

function responsesOf({ responses }: Operation): readonly [status: number, response: Response][] {
  return Object.entries(responses).map(([status, response]) => [
    Number(status),
    '$ref' in response ? (named(response.$ref) as Response) : response,
  ]);
}

function named(reference: string): unknown {
  const [, , kind = '', name = ''] = reference.split('/');
  return document.components[kind]?.[name];
}

test('every operation has an id of its own, a summary and a description', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, operations.length);
  for (const { path, operation } of operations) {
    assert.match(operation.operationId, /^[a-z][A-Za-z]+$/);
    assert.ok(operation.summary !== '' && operation.description.length > 10, path);
    assert.doesNotMatch(operation.description, /undefined/);
  }
});

test('every operation has known tags, its path parameters, a body where it takes one, and credentials', () => {
  const tags = document.tags.map(({ name }) => name);
  for (const { path, method, operation } of operations) {
    const what = `${method} ${path}`;
    assert.ok(operation.tags.length > 0 && operation.tags.every((tag) => tags.includes(tag)), what);
    const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    assert.deepEqual(
      inPath.map(({ name }) => name),
      [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name),
    );
    assert.ok(inPath.every(({ required }) => required));
    const hasBody =
      ['post', 'patch'].includes(method) && !/\/(?:test|deliveries\/\{id\}\/replay)$/.test(path);
    assert.equal(operation.requestBody !== undefined, hasBody, what);
    assert.deepEqual(operation.security, isOfHealth(path) ? [] : undefined, what);
    for (const [, { description }] of responsesOf(operation)) assert.notEqual(description, '', what);
  }
});

test('every route lists the refusals it can give, and no other, each with the bodies that are sent', () => {
  for (const { path, method, operation } of operations) {
    const what = `${method} ${path}`;
    // Catalogs and their items are revalidated by ETag.
    const isCatalog = /\/catalog$|^\/v1\/plans\/|\/esim\/plans\/\{plan_id\}$/.test(path);
    const expected = [...statusesOf(what), ...(isCatalog ? ['304'] : [])];
    assert.deepEqual(Object.keys(operation.responses), expected.toSorted(), what);
    for (const [status, { content, headers }] of responsesOf(operation)) {
      assert.ok('X-Request-Id' in headers && 'Cache-Control' in headers, what);
      if (status < 400) continue;
      const { examples = {} } = content?.['application/json'] ?? {};
      for (const [name, { value }] of Object.entries(examples)) {
        const { status: word, code, reason, message } = value as Json;
        if (isOfHealth(path) && name.startsWith('down')) continue;
        assert.deepEqual([word, code, typeof message], ['error', status, 'string'], `${what} ${name}`);
        const statuses: readonly number[] = reasons[reason as Reason]?.statuses ?? [];
        assert.ok(statuses.includes(status), `${what} ${name}: ${reason} is listed with ${status}`);
        assert.doesNotMatch(String(message), /undefined|\[object/, `${what} ${name}`);
      }
    }
  }
});

function isOfHealth(path: string): boolean {
  return path === '/v1/healthz' || path === '/readyz';
}

const look = ['200', '400', '401', '403', '429', '500', '503'];
const find = [...look, '404'];
const store = [...look, '422'];
const create = [...find, '422'];

/** Of the operations that are no plain create. */
const statuses: Readonly<Record<string, readonly string[]>> = {
  'get /readyz': ['200', '400', '503'],
  'get /v1/healthz': ['200', '400', '503'],
  'get /v1/esim/catalog': look,
  'get /v1/esim/orders/{request_id}': find,
  'get /v1/esim/orders/{request_id}/qrcode': find,
  'get /v1/esim/plans/{plan_id}': find,
  'get /v1/esim/plans/{plan_id}/quote': find,
  'get /v1/giftcards/catalog': look,
  'get /v1/giftcards/orders/{request_id}': find,
  'get /v1/giftcards/plans/{plan_id}/availability': [...look, '502'],
  'get /v1/giftcards/plans/{plan_id}/quote': look,
  'post /v1/giftcards/quote': store,
  'post /v1/giftcards/orders': [...create, '502'],
  'get /v1/plans/bills/{product}': look,
  'get /v1/plans/{network}': look,
  'get /v1/transactions': look,
  'get /v1/transactions/status': find,
  // Missing fields are 400 here.
  'post /v1/transactions/verify': [...find, '502'],
  'get /v1/wallet/balance': find,
  'get /v1/wallet/funding-account': find,
  // An upload can stall.
  'post /v1/wallet/funding-account': [...create, '408', '502'],
  'get /v1/wallet/mtn/balance': [...look, '502'],
  'get /v1/wallet/statement': find,
  'get /v1/events': look,
  'get /v1/webhooks/endpoints': look,
  'post /v1/webhooks/endpoints': store,
  'patch /v1/webhooks/endpoints/{id}': find,
  'delete /v1/webhooks/endpoints/{id}': find,
  'post /v1/webhooks/endpoints/{id}/test': find,
  'post /v1/webhooks/endpoints/{id}/rotate': find,
  'get /v1/webhooks/deliveries': find,
  'post /v1/webhooks/deliveries/{id}/replay': find,
  'get /v1/batches': look,
  'post /v1/batches': store,
  'get /v1/batches/{id}': find,
  'patch /v1/batches/{id}': create,
  'get /v1/batches/{id}/rows': find,
  'post /v1/test/clock': store,
  'post /v1/test/deposits': create,
};

const statusesOf = (operation: string): readonly string[] => statuses[operation] ?? create;

test('every example matches its schema, and every schema of a body has one', () => {
  const contract = createContract(document as unknown as ApiDocument);
  for (const { path, method, operation } of operations) {
    const contents: [string, Readonly<Record<string, Media>>][] = responsesOf(operation).map(
      ([status, { content = {} }]) => [String(status), content],
    );
    if (operation.requestBody) contents.push(['body', operation.requestBody.content]);
    for (const [part, content] of contents) {
      if (part !== '304') assert.ok(Object.keys(content).length > 0, `${method} ${path} ${part}`);
      for (const [type, { schema, examples }] of Object.entries(content)) {
        if (type === 'image/png') continue;
        assert.ok(Object.keys(examples).length > 0, `${method} ${path} ${part}`);
        for (const [name, { value }] of Object.entries(examples)) {
          contract.assertValid(schema, value, `${method} ${path} ${part} ${name}`);
        }
      }
    }
    for (const { name, example, schema } of operation.parameters ?? []) {
      if (example !== undefined) contract.assertValid(schema, example, `${method} ${path} ${name}`);
    }
  }
});

test('documents one canonical form of a request, with word lists as enums', () => {
  const schemaOf = (name: string): Json => document.components.schemas?.[name] ?? {};
  const fieldsOf = (name: string) => schemaOf(name).properties as Readonly<Record<string, Json>>;
  assert.deepEqual(Object.keys(fieldsOf('AirtimeBody')), [
    'merchant',
    'msisdn',
    'network',
    'request_ref',
    'amount',
    'kind',
  ]);
  assert.deepEqual(fieldsOf('AirtimeBody').network?.enum, ['mtn', 'glo', 'airtel', '9mobile']);
  for (const [name, field, words] of [
    ['VerifyBody', 'product', ['ELECTRICITY', 'CABLE', 'BETTING', 'EDUCATION']],
    ['GiftCardOrderBody', 'send_via', ['email', 'sms', 'whatsapp']],
    ['FundingAccountBody', 'currency', ['NGN', 'USD', 'EUR', 'GBP', 'CAD', 'AED']],
  ] as const) {
    assert.deepEqual(fieldsOf(name)[field]?.enum, words, `${name} ${field}`);
  }
  assert.deepEqual(schemaOf('GiftCardOrderBody').required, ['request_id', 'plan_id']);
  const requests = operations.map(({ operation }) => [operation.requestBody, operation.parameters]);
  const all = JSON.stringify([
    requests,
    Object.entries(document.components.schemas ?? {}).filter(([name]) => /Body|Transaction$/.test(name)),
  ]);
  assert.ok(!all.includes('"default":'), 'generators take a field with a default for required');
  assert.ok(!all.includes('"x-'), 'no annotation of our own is left');
  for (const alias of ['merchant_code', 'customer_msisdn', 'client_request_id']) {
    assert.ok(!all.includes(`"${alias}":`), alias);
    assert.ok(all.includes(`also accepted as ${alias}`), alias);
  }
});

test('each type of event is a webhook with the body that is sent', () => {
  const { webhooks } = document as unknown as {
    webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: Json }> } } }>;
  };
  assert.deepEqual(Object.keys(webhooks).toSorted(), [...eventTypes].toSorted());
  for (const [type, { post }] of Object.entries(webhooks)) {
    const schema = named(String(post.requestBody.content['application/json']?.schema.$ref)) as {
      properties: { type: { enum: string[] } };
    };
    assert.ok(schema.properties.type.enum.includes(type), type);
  }
});

test('each product has an example of each outcome it can have', () => {
  const namesAt = (method: string, path: string): string[] => {
    const answer = document.paths[path]?.[method]?.responses['200'] as Response;
    return Object.keys(answer.content?.['application/json']?.examples ?? {});
  };
  const create = namesAt('post', '/v1/transactions');
  for (const product of products) {
    const outcomes = isBillProduct(product) ? ['success', 'failed'] : ['pending', 'failed'];
    for (const outcome of outcomes) assert.ok(create.includes(`${product.toLowerCase()}_${outcome}`));
  }
  const status = namesAt('get', '/v1/transactions/status');
  for (const product of productNames) {
    for (const outcome of ['success', 'pending', 'failed']) {
      assert.ok(status.includes(`${product.toLowerCase()}_${outcome}`));
    }
  }
  for (const [path, product] of [
    ['/v1/giftcards/orders', 'giftcard'],
    ['/v1/esim/orders', 'esim'],
  ] as const) {
    const names = namesAt('post', path);
    for (const outcome of ['success', 'pending', 'failed'])
      assert.ok(names.includes(`${product}_${outcome}`));
  }
});

test('the examples of the requests are accepted', async () => {
  let count = 0;
  for (const { path, method, operation } of operations) {
    const media = operation.requestBody?.content['application/json'];
    if (media === undefined) continue;
    for (const { value } of Object.values(media.examples)) {
      const url = path.replace('{id}', purchaseId);
      const response = await edge.send(method === 'patch' ? 'PATCH' : 'POST', url, value);
      assert.equal(response.statusCode, 200, `${path} ${response.body}`);
      count += 1;
    }
  }
  assert.ok(count > 25, String(count));
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

test('every reference resolves, and every component is used', () => {
  const used = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, name]) => name);
  const { schemas = {}, responses = {}, headers = {} } = document.components;
  const there = Object.entries({ schemas, responses, headers }).flatMap(([kind, components]) =>
    Object.keys(components).map((name) => `#/components/${kind}/${name}`),
  );
  assert.deepEqual([...new Set(used)].toSorted(), there.toSorted());
});

test('optional parameters are optional', () => {
  const list = document.paths['/v1/transactions']?.get;
  assert.deepEqual(
    list?.parameters?.map(({ name, required }) => [name, required]),
    ['page', 'limit', 'cursor', 'msisdn', 'product', 'network', 'status'].map((name) => [name, false]),
  );
});

test('the guides are linked where they are served, and nowhere else', async () => {
  assert.ok(!('externalDocs' in document));
  const { app } = await buildEdge({ docsUrl: 'https://docs.example/' });
  try {
    const { externalDocs } = (await app.inject({ method: 'GET', url: '/openapi.json' })).json();
    assert.equal(externalDocs.url, 'https://docs.example/');
  } finally {
    await app.close();
  }
});

test('serves the built guides, and no other file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oja-guides-'));
  cleanUpAfter(folder);
  const guides = join(folder, 'dist');
  await mkdir(join(guides, 'merchants'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'not for anybody');
  await writeFile(join(guides, '.hidden'), 'nor this');
  const asked = async (url: string): Promise<[status: number, type: string, body: string]> => {
    const { app } = await buildEdge({ guides });
    try {
      const { statusCode, headers, body } = await app.inject({ method: 'GET', url });
      return [statusCode, String(headers['content-type']), body];
    } finally {
      await app.close();
    }
  };
  const [unbuilt, contentType, words] = await asked('/guides/');
  assert.deepEqual([unbuilt, contentType], [200, 'text/html; charset=utf-8']);
  // A command must be exactly right.
  assert.ok(words.includes('npm run build --prefix site'));
  await writeFile(join(guides, 'index.html'), '<title>Guides</title>');
  await writeFile(join(guides, '404.html'), '<title>Not here</title>');
  await writeFile(join(guides, 'merchants', 'index.html'), '<title>For merchants</title>');
  await writeFile(join(guides, 'merchants', 'index.md'), '# For merchants');
  assert.deepEqual(await asked('/guides/'), [200, 'text/html; charset=utf-8', '<title>Guides</title>']);
  for (const path of ['/guides/merchants', '/guides/merchants/', '/guides/merchants/index.html']) {
    assert.equal((await asked(path))[2], '<title>For merchants</title>', path);
  }
  const [status, type, body] = await asked('/guides/merchants/index.md');
  assert.deepEqual([status, body], [200, '# For merchants']);
  assert.match(type, /markdown/);
  for (const outside of ['../secret.txt', '%2e%2e/secret.txt', '..%2fsecret.txt', '.hidden', 'none.html']) {
    const [refused, , told] = await asked(`/guides/${outside}`);
    assert.ok(refused === 403 || refused === 404, `${outside}: ${refused}`);
    assert.doesNotMatch(told, /not for anybody|nor this/);
  }
  const { statusCode } = await edge.app.inject({ url: '/guides/' });
  assert.equal(statusCode, 404, 'a gateway without guides has no such path');
});
