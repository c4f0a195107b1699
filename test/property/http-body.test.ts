/**
 * For any request the edge sends its own answer: never 500, and it admits only well-formed input.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { formatAmount, parseAmount } from '../../src/core/money.ts';
import { airtimeSync, buildEdge, goodAirtime, goodData } from '../api/harness.ts';
import { anyText } from '../support/any-text.ts';
import { runs } from '../support/budget.ts';

const edge = await buildEdge();
after(() => edge.app.close());

const routes = [
  airtimeSync,
  '/v1/transactions/airtime/async',
  '/v1/transactions/data/sync',
  '/v1/transactions/data/async',
  '/v1/transactions',
];

const fields = [
  ...Object.keys(goodData),
  'product',
  'phone',
  'merchant_code',
  'customer_msisdn',
  'client_request_id',
  'plan',
];

/** Values that are nearly right beside values of every kind. */
const value = fc.oneof(
  fc.constantFrom<unknown>(...Object.values(goodData), 'airtime', 'DATA', 'CABLE', 'DSTV', 'OTHER', null, ''),
  anyText({ maxLength: 120 }),
  fc.anything({ maxDepth: 3 }).filter((item) => item !== undefined),
);

/** The first wrong field is refused, and the others are not read. */
const WRONG_MAX = 4;
const body = fc
  .dictionary(fc.constantFrom(...fields), value, { maxKeys: WRONG_MAX })
  .map((some) => ({ ...goodAirtime, ...some }));

test('answers any JSON value as a body, and not with 500', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...routes),
      fc.jsonValue({ noUnicodeString: false }),
      async (url, json) => {
        const response = await edge.send('POST', url, JSON.stringify(json));
        assert.ok([400, 422].includes(response.statusCode), response.body);
        assert.equal(response.json().code, response.statusCode);
      },
    ),
    runs(40),
  );
});

test('answers any bytes as a body, and not with 500', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const response = await edge.app.inject({
        method: 'POST',
        url: airtimeSync,
        headers: { 'x-merchant-key': 'oja_test_good', 'x-merchant-secret': 'a-secret-that-must-not-show' },
        payload: Buffer.from(bytes),
      });
      assert.ok([400, 422].includes(response.statusCode), response.body);
    }),
    runs(40),
  );
});

test('every accepted body satisfies the types of the core', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...routes), body, async (url, fields) => {
      edge.purchases.length = 0;
      const text = JSON.stringify(fields, (_key, item) => (typeof item === 'bigint' ? `${item}` : item));
      const response = await edge.send('POST', url, text);
      assert.ok([200, 400, 403, 404, 422].includes(response.statusCode), response.body);
      assert.equal(edge.purchases.length, response.statusCode === 200 ? 1 : 0);
      for (const { request } of edge.purchases) {
        accepted += 1;
        assert.ok(request.faceValue > 0n);
        assert.match(request.reference, /^\S(.{0,98}\S)?$/su);
        assert.ok(request.reference.isWellFormed() && !request.reference.includes('\0'));
        if (request.product === 'airtime' || request.product === 'data') {
          assert.match(request.recipient, /^234[789]\d{9}$/);
          assert.match(request.network, /^(MTN|GLO|AIRTEL|9MOBILE)$/);
        }
        if (request.product !== 'airtime') assert.equal(typeof request.planCode, 'string');
        assert.equal(response.json().data.amount, formatAmount(request.faceValue));
        assert.equal(parseAmount(response.json().data.amount), request.faceValue);
      }
    }),
    runs(150),
  );
  assert.ok(accepted > 20, `only ${accepted} were accepted`);
});

test('answers any query, and not with 500', async () => {
  const name = fc.constantFrom(
    'page',
    'limit',
    'msisdn',
    'network',
    'status',
    'request_ref',
    'request_id',
    'x',
  );
  const piece = fc.oneof(
    fc.constantFrom('1', '10', 'mtn', '0', '08031234567', '%', '%00', '%ff', '=', '&', '[]', '+'),
    fc.string({ maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
  );
  const query = fc
    .array(fc.tuple(name, piece).map(([key, text]) => `${key}=${text}`))
    .map((all) => all.join('&'));
  const path = fc.constantFrom('/v1/transactions', '/v1/transactions/status', '/v1/wallet/balance');
  await fc.assert(
    fc.asyncProperty(path, query, async (url, text) => {
      const response = await edge.send('GET', `${url}?${text}`);
      assert.ok([200, 400, 404].includes(response.statusCode), response.body);
    }),
    runs(40),
  );
});
