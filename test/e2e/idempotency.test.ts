/** One reference buys once, whatever request repeats it, at the same time or later. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answer, KeyPair } from '../support/gateway.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  anyProduct,
  assertRefused,
  data,
  dataAsync,
  dataSync,
  footprint,
  newNumber,
  openSharedGateway,
  statusOf,
  untilFinal,
  walletOf,
} from './gateway-under-test.ts';
import { deliveriesTo, misbehave, settle } from './provider.ts';
import { openShop, type Shop } from './shop.ts';

const gateway = await openSharedGateway();

function create(path: string, as: KeyPair, body: unknown): Promise<Answer> {
  return gateway.call('POST', path, { as, body });
}

/** Refused as a duplicate, with the first purchase. */
function assertDuplicate(
  answer: Answer,
  first: { id: string; reference: unknown; code: string; differing?: readonly string[] },
): void {
  const { differing = [] } = first;
  assertRefused(answer, 422, 'request_ref');
  const words: Record<string, string> = { '00': 'success', '01': 'failed', '02': 'pending' };
  assert.deepEqual(answer.body.data, {
    internal_reference: first.id,
    request_id: first.reference,
    status: words[first.code],
    response_code: first.code,
    differs: differing.length > 0,
    differing_fields: differing,
  });
}

async function assertOneOf(
  answers: readonly Answer[],
  shop: Shop,
  as: KeyPair,
  body: Record<string, unknown>,
): Promise<void> {
  const sold = answers.filter((answer) => answer.status === 200);
  const refused = answers.filter((answer) => answer.status === 422);
  assert.deepEqual([sold.length, refused.length], [1, answers.length - 1]);
  const id = sold[0]?.body.data.internal_reference;
  for (const answer of refused) {
    assertRefused(answer, 422, 'request_ref');
    assert.equal(answer.body.data.internal_reference, id);
  }
  const final = await untilFinal(gateway, body.request_ref, as);
  assert.equal(final.body.code, '00');
  assert.equal(final.body.payload.internal_reference, id);
  assert.equal((await walletOf(gateway, as)).balance, '99900.00');
  const rows = await gateway.database.query('select id from purchases where merchant_id = $1', [shop.id]);
  assert.equal(rows.length, 1);
  const transfers = await gateway.database.query(
    `select sum(amount)::bigint as debited from transfers where subject_id = $1`,
    [id],
  );
  assert.equal(transfers[0]?.debited, 10_000n);
}

describe('fifty equal requests at once', () => {
  for (const path of [airtimeSync, airtimeAsync, dataSync, dataAsync, anyProduct]) {
    for (const environment of ['test', 'live'] as const) {
      it(`equal requests on ${path} with ${environment} credentials: one 200, 49 times 422, one debit`, async () => {
        const shop = await openShop(gateway);
        const msisdn = newNumber();
        const fields = { merchant: shop.code, msisdn };
        const body = path.includes('data') ? data(fields) : airtime({ ...fields, product: 'airtime' });
        const as = shop[environment];
        const answers = await Promise.all(Array.from({ length: 50 }, () => create(path, as, body)));
        await assertOneOf(answers, shop, as, body);
        assert.equal((await deliveriesTo(gateway, msisdn)).length, environment === 'live' ? 1 : 0);
      });
    }
  }

  it('different requests under one reference: one 200, 49 times 422', async () => {
    const shop = await openShop(gateway);
    const first = airtime({ merchant: shop.code });
    const paths = [airtimeSync, airtimeAsync, dataSync, dataAsync, anyProduct];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        create(paths[index % paths.length] ?? anyProduct, shop.live, {
          ...first,
          plan_code: 'MTN-1',
          product: 'data',
          msisdn: newNumber(),
        }),
      ),
    );
    await assertOneOf(answers, shop, shop.live, first);
  });

  it('equal requests without money: one is stored as failed, and 49 are refused with it', async () => {
    const shop = await openShop(gateway, { balance: 0n });
    const body = airtime({ merchant: shop.code });
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(airtimeSync, shop.live, body)));
    const stored = answers.filter((answer) => answer.status === 200);
    assert.equal(stored.length, 1);
    assert.equal(stored[0]?.body.response_code, '01');
    const id = stored[0]?.body.data.internal_reference;
    const refusedWith = { internal_reference: id, request_id: body.request_ref, response_code: '01' };
    for (const answer of answers.filter((one) => one.status !== 200)) {
      assertRefused(answer, 422, 'request_ref');
      const { internal_reference, request_id, response_code } = answer.body.data;
      // Not how they differ: with many at once, a busy process does not wait for the comparison.
      assert.deepEqual({ internal_reference, request_id, response_code }, refusedWith);
    }
  });
});

describe('a reference used before', () => {
  it('refuses a used reference and returns the first purchase with its present outcome', async () => {
    const shop = await openShop(gateway);
    const body = airtime({ merchant: shop.code });
    const first = await create(airtimeSync, shop.test, body);
    const id = first.body.data.internal_reference;
    const before = await footprint(gateway.database);
    assertDuplicate(await create(airtimeSync, shop.test, body), {
      id,
      reference: body.request_ref,
      code: '00',
    });
    assert.deepEqual(await footprint(gateway.database), before);
  });

  it('refuses a used reference for any other purchase, and keeps the first', async () => {
    const shop = await openShop(gateway);
    const body = airtime({ merchant: shop.code });
    const first = await create(airtimeSync, shop.test, body);
    const { request_ref } = body;
    const before = await footprint(gateway.database);
    const id = first.body.data.internal_reference;
    const again = { merchant: shop.code, request_ref };
    for (const [path, other, differing] of [
      [airtimeSync, airtime({ ...again, amount: '999.00' }), ['amount']],
      [airtimeAsync, airtime({ ...again, msisdn: newNumber() }), ['msisdn']],
      [dataSync, data(again), ['product', 'plan_code']],
      [
        dataAsync,
        data({ ...again, network: 'glo', plan_code: 'GLO-1', amount: '50.00' }),
        ['product', 'network', 'plan_code', 'amount'],
      ],
      [anyProduct, airtime({ ...again, product: 'airtime' }), []],
    ] as const) {
      const answer = await create(path, shop.test, other);
      assertDuplicate(answer, { id, reference: request_ref, code: '00', differing });
    }
    const { request_ref: _, ...aliased } = body;
    assertDuplicate(await create(airtimeSync, shop.test, { ...aliased, client_request_id: request_ref }), {
      id,
      reference: request_ref,
      code: '00',
    });
    assert.deepEqual(await footprint(gateway.database), before);
    assert.equal((await statusOf(gateway, request_ref, shop.test)).body.payload.amount, '100.00');
  });

  it('refuses a used reference while the first is pending, and after it has failed', async () => {
    const shop = await openShop(gateway);
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'pending_then_failed', recipient: msisdn, settle_ms: 600_000 });
    const body = airtime({ merchant: shop.code, msisdn });
    const first = await create(airtimeAsync, shop.live, body);
    const id = first.body.data.internal_reference;
    for (const path of [airtimeSync, airtimeAsync]) {
      assertDuplicate(await create(path, shop.live, body), { id, reference: body.request_ref, code: '02' });
    }
    assert.equal((await walletOf(gateway, shop.live)).held, '100.00');
    await settle(gateway, msisdn);
    assert.equal((await untilFinal(gateway, body.request_ref, shop.live)).body.code, '01');
    assertDuplicate(await create(airtimeSync, shop.live, body), {
      id,
      reference: body.request_ref,
      code: '01',
    });
    assert.equal((await walletOf(gateway, shop.live)).available, '100000.00');
  });

  it('a reference that failed for lack of money stays used', async () => {
    const shop = await openShop(gateway, { balance: 5_000n });
    const body = airtime({ merchant: shop.code });
    const first = await create(airtimeSync, shop.test, body);
    assert.equal(first.body.response_code, '01');
    const id = first.body.data.internal_reference;
    const smaller = { ...body, amount: '20.00' };
    assertDuplicate(await create(airtimeSync, shop.test, smaller), {
      id,
      reference: body.request_ref,
      code: '01',
      differing: ['amount'],
    });
    const fresh = airtime({ merchant: shop.code, amount: '20.00' });
    assert.equal((await create(airtimeSync, shop.test, fresh)).body.response_code, '00');
  });

  it('compares references letter by letter: another letter case is another reference', async () => {
    const shop = await openShop(gateway);
    for (const request_ref of ['order-a', 'ORDER-A', 'Order-A']) {
      const answer = await create(airtimeSync, shop.test, airtime({ merchant: shop.code, request_ref }));
      assert.equal(answer.body.response_code, '00');
    }
  });

  it('frees a reference when the request that used it was refused', async () => {
    const shop = await openShop(gateway);
    const body = airtime({ merchant: shop.code });
    assertRefused(await create(airtimeSync, shop.test, { ...body, amount: '0' }), 400, 'amount');
    assertRefused(await create(airtimeSync, shop.test, { ...body, merchant: 'DEMO' }), 403, 'merchant');
    assert.equal((await create(airtimeSync, shop.test, body)).body.response_code, '00');
  });
});
