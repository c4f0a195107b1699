/** Compression and ETags: which answers have them. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { compressAnswer, takesGzip } from '../../src/api/plumbing/compress-answer.ts';
import type { DataPlan } from '../../src/catalog/data-plan-index.ts';
import { airtimeSync, aPurchase, buildEdge, credentials, goodAirtime } from './harness.ts';

function plan(id: number): DataPlan {
  return {
    planCode: `MTN-${id}`,
    id,
    network: 'MTN',
    name: `Plan ${id}`,
    description: 'A plan of the network',
    price: 10_000n,
    tariffTypeId: `${id}`,
    legacyProductId: undefined,
    validity: '1 day',
    size: '110MB',
    group: 'Daily',
    planKind: 'direct',
    shortCode: `MTN-${id}`,
    providerCodes: {},
    active: true,
  };
}

let onSale = Array.from({ length: 20 }, (_, id) => plan(id));
const purchases = Array.from({ length: 20 }, (_, i) => aPurchase({ reference: `order-${i}` }));
const lines = Array.from({ length: 200 }, (_, i) => `2026-11-21,purchase,order-${i}\r\n`);

const edge = await buildEdge({
  catalog: { listDataPlans: (network) => (network === 'MTN' ? onSale : []) },
  purchases: {
    listPurchases: async (_principal, { limit }) => ({
      items: purchases.slice(0, limit),
      totalItems: 20,
      totalPages: 1,
      nextCursor: undefined,
    }),
  },
  wallets: { statementCsv: async () => Readable.from(lines) },
});
after(() => edge.app.close());

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  edge.app.inject({ method, url, headers: { ...credentials, ...headers } });
const gzip: Record<string, string> = { 'accept-encoding': 'gzip, deflate, br' };

test('compresses large answers for clients that accept gzip, with the same content', async () => {
  for (const url of [
    '/v1/plans/mtn',
    '/v1/transactions?limit=20',
    '/v1/wallet/statement?format=csv',
    '/openapi.json',
    '/docs/json',
  ]) {
    const plain = await get(url);
    assert.equal(plain.headers['content-encoding'], undefined, url);
    assert.equal(plain.headers.vary, 'Accept-Encoding', url);
    for (let time = 0; time < 2; time += 1) {
      const sent = await get(url, gzip);
      assert.equal(sent.statusCode, 200, url);
      assert.equal(sent.headers['content-encoding'], 'gzip', url);
      assert.equal(sent.headers.vary, 'Accept-Encoding', url);
      assert.ok(sent.rawPayload.length < plain.rawPayload.length / 2, url);
      assert.equal(gunzipSync(sent.rawPayload).toString(), plain.body, url);
    }
  }
});

test('keeps no larger buffer for the compressed catalog in memory', async () => {
  let sent: unknown;
  await using app = Fastify();
  const keep = async (_request: unknown, _reply: unknown, payload: unknown) => {
    sent = payload;
    return payload;
  };
  app.get('/', { onSend: [compressAnswer, keep] }, (_request, reply) =>
    reply.type('application/json').send(Buffer.from(JSON.stringify('x'.repeat(3_000)))),
  );
  await app.inject({ url: '/', headers: gzip });
  assert.ok(Buffer.isBuffer(sent) && sent.length < 1_000);
  assert.equal(sent.buffer.byteLength, sent.length);
});

test('a statement that breaks off is incomplete, compressed or not', async (t) => {
  const broken = await buildEdge({
    wallets: {
      statementCsv: async () =>
        (async function* () {
          yield 'time\r\n'.repeat(10_000);
          throw new Error('the database is away');
        })(),
    },
  });
  t.after(() => broken.app.close());
  const url = await broken.app.listen({ port: 0, host: '127.0.0.1' });
  for (const encoding of ['identity', 'gzip']) {
    const headers = { ...credentials, 'accept-encoding': encoding };
    const read = async () => await (await fetch(`${url}/v1/wallet/statement?format=csv`, { headers })).text();
    await assert.rejects(read(), encoding);
  }
});

test('small answers, refusals and purchases are never compressed', async () => {
  for (const url of ['/v1/plans/glo', '/v1/transactions?limit=1', '/v1/transactions?limit=x']) {
    const { headers } = await get(url, gzip);
    assert.equal(headers['content-encoding'], undefined, url);
    assert.equal(headers.vary, 'Accept-Encoding', url);
  }
  const sold = await edge.app.inject({
    method: 'POST',
    url: airtimeSync,
    headers: { ...credentials, ...gzip, 'content-type': 'application/json' },
    payload: JSON.stringify(goodAirtime),
  });
  assert.deepEqual([sold.headers['content-encoding'], sold.headers.vary], [undefined, undefined]);
});

test('sends gzip if Accept-Encoding accepts it and prefers no other encoding', () => {
  for (const header of [
    'gzip',
    'GZIP',
    'x-gzip',
    '*',
    'br;q=1.0, gzip;q=0.8, *;q=0.1',
    'gzip;q=0.001',
    'identity;q=0.5, gzip',
    'identity;q=0, *',
    'deflate , gzip ; q=0.5',
  ])
    assert.ok(takesGzip(header), header);
  for (const header of [
    undefined,
    '',
    'br',
    'identity',
    'gzip;q=0',
    'gzip;q=0.000, *',
    '*;q=0',
    'gzip;q=0.5, identity',
    'gzip;q=x',
    'gzipped',
  ])
    assert.ok(!takesGzip(header), String(header));
});

const catalogs = [
  '/v1/plans/mtn',
  '/v1/plans/bills/electricity',
  '/v1/giftcards/catalog',
  '/v1/esim/catalog?country=NG',
  '/v1/esim/plans/NG-1GB-7D',
  '/openapi.json',
];

test('a catalog with its tag is 304 while it is unchanged', async () => {
  for (const url of catalogs) {
    const first = await get(url);
    const etag = String(first.headers.etag);
    assert.match(etag, /^W\/"[\w-]{43}"$/, url);
    assert.equal(first.headers['cache-control'], 'private, no-cache', url);
    for (const named of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await get(url, { ...gzip, 'if-none-match': named });
      assert.deepEqual([again.statusCode, again.body], [304, ''], url);
      assert.equal(again.headers.etag, etag);
      assert.equal(again.headers['cache-control'], 'private, no-cache');
      assert.equal(again.headers.vary, 'Accept-Encoding');
      for (const absent of ['content-type', 'content-length', 'content-encoding'])
        assert.equal(again.headers[absent], undefined, absent);
    }
    const compressed = await get(url, { ...gzip, 'if-none-match': '"other"' });
    assert.deepEqual([compressed.statusCode, compressed.headers.etag], [200, etag]);
  }
});

test('gives a changed catalog a new ETag', async () => {
  const { etag } = (await get('/v1/plans/mtn')).headers;
  onSale = [...onSale, plan(99)];
  const changed = await get('/v1/plans/mtn', { 'if-none-match': String(etag) });
  assert.equal(changed.statusCode, 200);
  assert.notEqual(changed.headers.etag, etag);
});

test('HEAD returns what GET would, without a body', async () => {
  for (const url of [...catalogs, '/v1/transactions?limit=20']) {
    for (const headers of [{}, gzip]) {
      const [got, head] = [await get(url, headers), await get(url, headers, 'HEAD')];
      assert.deepEqual([head.statusCode, head.body], [200, '']);
      for (const name of [
        'etag',
        'content-type',
        'content-length',
        'content-encoding',
        'vary',
        'cache-control',
      ])
        assert.equal(head.headers[name], got.headers[name], `${url} ${name}`);
    }
  }
  const { etag } = (await get('/openapi.json')).headers;
  const same = await get('/openapi.json', { 'if-none-match': String(etag) }, 'HEAD');
  assert.deepEqual([same.statusCode, same.headers['content-length']], [304, undefined]);
});

test('a refusal of a catalog has no tag, and answers with goods or money are not cached', async () => {
  for (const url of [
    '/v1/plans/nobody',
    '/v1/esim/plans/none',
    '/v1/transactions',
    '/v1/wallet/statement',
    '/v1/wallet/funding-account',
    '/v1/giftcards/plans/300002/quote',
    '/v1/esim/orders/esim-1',
    '/v1/esim/orders/esim-1/qrcode',
    '/v1/healthz',
    '/nowhere',
  ]) {
    const { headers } = await get(url);
    assert.deepEqual([headers.etag, headers['cache-control']], [undefined, 'no-store'], url);
  }
});
