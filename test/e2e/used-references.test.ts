/**
 * A used reference returns its first outcome, whatever has changed about the product since. The
 * reference is looked up before any other refusal. A refusal under a new reference stores nothing.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { announceChange } from '../../src/db/change-notice-store.ts';
import { setProduct } from '../../src/merchants/operations/set-product.ts';
import { setSuspended } from '../../src/merchants/operations/suspend-merchant.ts';
import type { Answer, KeyPair } from '../support/gateway.ts';
import { cable, electricity } from './bills.ts';
import {
  airtime,
  airtimeSync,
  anyProduct,
  assertRefused,
  data,
  dataSync,
  eventually,
  type Fields,
  newReference,
  openSharedGateway,
  statusOf,
} from './gateway-under-test.ts';
import { cardOrders, esimOrders, openGoodsShop } from './goods.ts';
import { openShop } from './shop.ts';

const gateway = await openSharedGateway();
const { database } = gateway;

type Sale = { readonly path: string; readonly body: Fields; readonly key: 'request_ref' | 'request_id' };

const sales = {
  airtime: { path: airtimeSync, body: airtime(), key: 'request_ref' },
  data: { path: dataSync, body: data(), key: 'request_ref' },
  cable: { path: anyProduct, body: cable(), key: 'request_ref' },
  electricity: { path: anyProduct, body: electricity(), key: 'request_ref' },
  card: {
    path: cardOrders,
    body: { request_id: newReference(), plan_id: 300002 },
    key: 'request_id',
  },
  esim: {
    path: esimOrders,
    body: { request_id: newReference(), plan_id: 'NG-1GB-7D' },
    key: 'request_id',
  },
} as const satisfies Record<string, Sale>;

function send({ path }: Sale, body: unknown, as?: KeyPair): Promise<Answer> {
  return gateway.call('POST', path, as === undefined ? { body } : { as, body });
}

function withNewKey({ body, key }: Sale): Fields {
  return { ...body, [key]: newReference() };
}

/** The first purchase of a product, and the expected answer for it from then on. */
async function buyFirst(
  sale: Sale,
  as?: KeyPair,
  body = sale.body,
): Promise<(again: Answer, differing?: readonly string[]) => void> {
  const first = await send(sale, body, as);
  assert.equal(first.status, 200, first.text);
  return (again, differing = []) => {
    assertRefused(again, 422, sale.key);
    assert.deepEqual(again.body.data.differing_fields, differing, again.text);
    assert.equal(again.body.data.differs, differing.length > 0);
    assert.equal(again.body.data.internal_reference, first.body.data.internal_reference);
    assert.equal(again.body.data.request_id, body[sale.key]);
    assert.match(again.body.data.status, /^(success|pending)$/);
  };
}

/** Sends under new references until one is refused with `status`, because changes take a moment. */
async function untilRefused(sale: Sale, status: number, as?: KeyPair, fields: Fields = {}): Promise<void> {
  const refused = await eventually('a new purchase is refused', async () => {
    const body = { ...withNewKey(sale), ...fields };
    const answer = await send(sale, body, as);
    return answer.status === 200 ? undefined : { answer, reference: body[sale.key] };
  });
  assertRefused(refused.answer, status);
  assertRefused(await statusOf(gateway, refused.reference, as), 404);
}

async function change(statement: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(statement);
    await announceChange(tx, 'plans');
  });
}

describe('a used reference is 422 with its first outcome', () => {
  for (const [what, name, spoil, mend, status] of [
    [
      'after its price has changed',
      'data',
      "update plans set price = price + 100 where plan_code = 'MTN-1'",
      "update plans set price = price - 100 where plan_code = 'MTN-1'",
      400,
    ],
    [
      'after its plan is gone',
      'data',
      "update plans set active = false where plan_code = 'MTN-1'",
      "update plans set active = true where plan_code = 'MTN-1'",
      400,
    ],
    [
      'after its bouquet has another price',
      'cable',
      'update plans set price = price + 100 where id = 2101',
      'update plans set price = price - 100 where id = 2101',
      400,
    ],
    [
      'after its biller left the business',
      'electricity',
      "update billers set active = false where network = 'Ikeja Electric'",
      "update billers set active = true where network = 'Ikeja Electric'",
      400,
    ],
    [
      'after its card is withdrawn',
      'card',
      'update gift_card_plans set active = false where plan_id = 300002',
      'update gift_card_plans set active = true where plan_id = 300002',
      400,
    ],
    [
      'after its eSIM is withdrawn',
      'esim',
      "update esim_plans set active = false where plan_id = 'NG-1GB-7D'",
      "update esim_plans set active = true where plan_id = 'NG-1GB-7D'",
      404,
    ],
  ] as const) {
    it(`${what}: answers 422 for a used reference, and ${status} for a new one`, async () => {
      const sale: Sale = sales[name];
      const body = withNewKey(sale);
      const assertFirst = await buyFirst(sale, undefined, body);
      await change(spoil);
      try {
        await untilRefused(sale, status);
        assertFirst(await send(sale, body));
      } finally {
        await change(mend);
      }
      await eventually('it is sold again', async () =>
        (await send(sale, withNewKey(sale))).status === 200 ? true : undefined,
      );
    });
  }

  it('after its product was switched off a used reference is 422, and a new one is 403', async () => {
    const shop = await openShop(gateway);
    const body = airtime({ merchant: shop.code });
    const assertFirst = await buyFirst(sales.airtime, shop.test, body);
    const off = { merchantCode: shop.code, environment: 'test', product: 'airtime', enabled: false } as const;
    await database.transaction((tx) => setProduct(tx, off, 'test'));
    await untilRefused(sales.airtime, 403, shop.test, { merchant: shop.code });
    assertFirst(await send(sales.airtime, body, shop.test));
  });

  it('after its last route is gone a used reference is 422, and a new one is 503', async () => {
    const shop = await openGoodsShop(gateway);
    const sale = { ...sales.esim, body: { ...sales.esim.body, plan_id: 'US-1GB-7D' } };
    const body = withNewKey(sale);
    const assertFirst = await buyFirst(sale, shop.live, body);
    await database.transaction(async (tx) => {
      await tx.query("delete from routes where product = 'ESIM' and environment = 'live'");
      await announceChange(tx, 'routes');
    });
    await untilRefused(sale, 503, shop.live);
    assertFirst(await send(sale, body, shop.live));
  });

  it('answers 422 for a used reference whatever else is wrong, under either name of the key', async () => {
    const shop = await openShop(gateway);
    const body = airtime({ merchant: shop.code });
    const assertFirst = await buyFirst(sales.airtime, shop.test, body);
    const { request_ref, ...rest } = body;
    for (const [again, field] of [
      [{ ...body, amount: 'much' }, 'amount'],
      [{ ...body, amount: undefined }, 'amount'],
      [{ ...body, merchant: 'DEMO' }, 'merchant'],
      [{ ...body, merchant: 'NOBODY' }, 'merchant'],
      [{ ...rest, client_request_id: request_ref, network: 'nine' }, 'network'],
    ] as const) {
      assertFirst(await send(sales.airtime, again, shop.test), [field]);
      const { client_request_id: _alias, ...fresh } = { client_request_id: '', ...again };
      const refused = await send(sales.airtime, { ...fresh, request_ref: newReference() }, shop.test);
      assert.ok([400, 403, 404, 422].includes(refused.status), refused.text);
      assert.equal(refused.body.data, undefined);
    }
    const both = { ...body, client_request_id: newReference(), amount: '0' };
    assertRefused(await send(sales.airtime, both, shop.test), 400, 'request_ref');
    assertRefused(await send(sales.airtime, { ...body, amount: '0' }, shop.live), 400, 'amount');
  });
});

describe('a suspended merchant', () => {
  it('a suspended merchant reads its purchases, resends references, and buys nothing', async () => {
    const shop = await openShop(gateway);
    for (const product of ['GIFTCARD', 'ESIM'] as const) {
      const change = { merchantCode: shop.code, environment: 'test', product, enabled: true } as const;
      await database.transaction((tx) => setProduct(tx, change, 'test'));
    }
    const body = airtime({ merchant: shop.code });
    const assertFirst = await buyFirst(sales.airtime, shop.test, body);
    const suspend = (suspended: boolean) =>
      database.transaction((tx) => setSuspended(tx, { merchantCode: shop.code, suspended }, 'test'));
    await suspend(true);
    await untilRefused(sales.airtime, 403, shop.test, { merchant: shop.code });
    assertFirst(await send(sales.airtime, body, shop.test));
    for (const path of [
      '/v1/wallet/balance',
      anyProduct,
      `${anyProduct}/status?request_ref=${body.request_ref}`,
      '/v1/plans/mtn',
      '/v1/plans/bills/electricity',
      '/v1/giftcards/catalog',
      '/v1/giftcards/plans/300002/quote',
      '/v1/giftcards/plans/300002/availability',
      '/v1/esim/catalog',
      '/v1/esim/plans/NG-1GB-7D',
      '/v1/esim/plans/NG-1GB-7D/quote',
    ]) {
      assert.equal((await gateway.call('GET', path, { as: shop.test })).status, 200);
    }
    for (const [path, sent] of [
      [airtimeSync, airtime({ merchant: shop.code })],
      [anyProduct, electricity({ merchant: shop.code })],
      [cardOrders, { request_id: newReference(), plan_id: 300002 }],
      [esimOrders, { request_id: newReference(), plan_id: 'NG-1GB-7D' }],
      [`${anyProduct}/verify`, electricity({ merchant: shop.code })],
      ['/v1/giftcards/quote', { plan_id: 300002 }],
      ['/v1/wallet/funding-account', { currency: 'NGN' }],
    ] as const) {
      const answer = await gateway.call('POST', path, { as: shop.test, body: sent });
      assertRefused(answer, 403, { reason: 'merchant_suspended' });
    }
    await suspend(false);
    await eventually('it buys again', async () =>
      (await send(sales.airtime, airtime({ merchant: shop.code }), shop.test)).status === 200
        ? true
        : undefined,
    );
  });
});
