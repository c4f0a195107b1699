/**
 * Availability queries to a provider: shared by callers, repeated after a while, and repeated at
 * once if the answer is unknown.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { GiftCardPlan } from '../../../src/catalog/gift-card-plan.ts';
import type { Principal } from '../../../src/merchants/merchant.ts';
import { Limiter } from '../../../src/providers/http/limiter.ts';
import type { AvailabilityAnswer, Provider } from '../../../src/providers/provider.ts';
import { sandbox as definition } from '../../../src/providers/sandbox/index.ts';
import { createAvailabilityCheck } from '../../../src/purchases/orders/check-availability.ts';
import { fixedRoutes } from '../../support/fixed-routes.ts';
import { aGiftCard } from '../../support/goods.ts';
import { refusedFor } from '../../support/refusals.ts';

const plan = aGiftCard({ providerCodes: { shop: {} } });

const principal: Principal = {
  credentialId: 'c',
  environment: 'live',
  rateLimitPerS: undefined,
  merchant: {
    id: 1,
    code: 'SHOP',
    name: 'Shop',
    suspended: false,
    products: new Set(['GIFTCARD']),
    prices: [],
    wallets: new Map([['NGN', 7n] as const]),
  },
};

const other: Principal = { ...principal, merchant: { ...principal.merchant, id: 2 } };

const variable: GiftCardPlan = {
  ...plan,
  planId: 2,
  faceValue: undefined,
  minPrice: 1_00n,
  maxPrice: 500_00n,
  providerCodes: { shop: { product_id: '2' } },
};

/** Each with a different code. */
const card = (at: number): GiftCardPlan => ({ ...plan, providerCodes: { shop: { product_id: String(at) } } });

const WAITING_MAX = 500;

const sandbox = await definition.configure({ notFoundGraceMs: 1_000 }).open();

const there = { fulfillment: 'immediate', detail: 'there' } as const;
const inStock = { kind: 'known', ...there } as const;
const noAnswer: AvailabilityAnswer = { kind: 'unavailable', code: 'c', message: 'm' };

type Asked = { readonly of?: GiftCardPlan; readonly faceValue?: bigint };

function setUp(answers: (AvailabilityAnswer | Promise<AvailabilityAnswer>)[]) {
  const counted = { asked: 0, nowMs: 1 };
  const limiter = new Limiter({ callsMax: 4, queryShare: 0.75, waitingMax: WAITING_MAX });
  const shop: Provider = {
    ...sandbox,
    name: 'shop',
    limiters: { orders: limiter, reads: limiter },
    checkAvailability: async () => {
      counted.asked += 1;
      return await (answers.shift() ?? inStock);
    },
  };
  const providers = new Map([['shop', shop]]);
  const check = createAvailabilityCheck({
    routes: fixedRoutes(() => ['shop']),
    providers,
    clock: { now: () => new Date(), elapsedMs: () => counted.nowMs },
  });
  const ask = ({ of = plan, faceValue }: Asked = {}, by = principal, isPurchase = false) =>
    check({ principal: by, plan: of, faceValue, isPurchase });
  return { counted, ask };
}

test('concurrent requests query the provider once, for any value', async () => {
  const { counted, ask } = setUp([]);
  const of = { ...variable, fulfillment: 'immediate' } as const;
  const said = await Promise.all([
    ask({ of, faceValue: 10_00n }),
    ask({ of, faceValue: 20_00n }, other),
    ask({ of, faceValue: 30_00n }),
  ]);
  assert.deepEqual(said, Array(3).fill({ fulfillment: 'immediate', detail: 'there' }));
  assert.equal(counted.asked, 1);
  await ask({ of, faceValue: 40_00n });
  assert.equal(counted.asked, 1);
  // Another card is another question.
  await ask();
  assert.equal(counted.asked, 2);
});

test('a value that the provider does not sell is out of stock, without another query', async () => {
  const sells = { currency: 'USD', min: 5_00n, max: 50_00n };
  const { counted, ask } = setUp([{ ...inStock, sells }]);
  assert.equal((await ask({ of: variable, faceValue: 50_00n })).fulfillment, 'immediate');
  assert.deepEqual(await ask({ of: variable, faceValue: 50_01n }), {
    fulfillment: 'out_of_stock',
    detail: 'This card is not sold at USD 50.01',
  });
  assert.equal(counted.asked, 1);
});

test('checks fixed values and other currencies here too', async () => {
  const sells = { currency: 'USD', values: [25_00n] };
  assert.equal((await setUp([{ ...inStock, sells }]).ask()).fulfillment, 'immediate');
  const dear = { ...sells, values: [20_00n] };
  assert.equal((await setUp([{ ...inStock, sells: dear }]).ask()).fulfillment, 'out_of_stock');
  const foreign = { ...sells, currency: 'EUR' };
  assert.equal((await setUp([{ ...inStock, sells: foreign }]).ask()).fulfillment, 'out_of_stock');
});

test('keeps an answer for five seconds', async () => {
  const { counted, ask } = setUp([]);
  await ask();
  counted.nowMs += 5_000;
  await ask();
  assert.equal(counted.asked, 1);
  counted.nowMs += 1;
  await ask();
  assert.equal(counted.asked, 2);
});

test('queries a provider that could not answer again at once', async () => {
  const { counted, ask } = setUp([noAnswer]);
  const refused = refusedFor('availability_unknown');
  await Promise.all([assert.rejects(ask(), refused), assert.rejects(ask(), refused)]);
  assert.equal(counted.asked, 1);
  assert.equal((await ask()).fulfillment, 'immediate');
  assert.equal(counted.asked, 2);
});

test('runs one query of a card at a time, however long it lasts', async () => {
  const { promise, resolve } = Promise.withResolvers<AvailabilityAnswer>();
  const { counted, ask } = setUp([promise]);
  const first = ask();
  counted.nowMs += 60_000;
  const second = ask({}, other);
  resolve(inStock);
  assert.deepEqual(await Promise.all([first, second]), Array(2).fill({ ...there }));
  assert.equal(counted.asked, 1);
});

test('a merchant never has all queries of the provider; test credentials send it none', async () => {
  const { promise, resolve } = Promise.withResolvers<AvailabilityAnswer>();
  const { counted, ask } = setUp([promise, promise]);
  const cards = Array.from({ length: 10 }, (_, at) => card(at));
  const many = cards.map((of) => ask({ of }));
  await setImmediate();
  // One of four places is for purchases, and one for other merchants.
  assert.equal(counted.asked, 2);
  const order = await ask({ of: card(99) }, other, true);
  assert.equal(order.fulfillment, 'immediate');
  assert.equal(counted.asked, 3);
  const test = { ...principal, environment: 'test' } as const;
  assert.equal((await ask({ of: card(100) }, test)).fulfillment, 'immediate');
  assert.equal(counted.asked, 3);
  resolve(inStock);
  await Promise.all(many);
  assert.equal(counted.asked, 11);
});

test('refuses more requests than may wait, but no order of another merchant', async () => {
  const { promise, resolve } = Promise.withResolvers<AvailabilityAnswer>();
  const { ask } = setUp([promise, promise]);
  const asked = Array.from({ length: 2 + WAITING_MAX + 2 }, (_, at) => ask({ of: card(at) }));
  const settled = Promise.allSettled(asked);
  assert.equal((await ask({ of: card(9_999) }, other, true)).fulfillment, 'immediate');
  resolve(inStock);
  const refused = (await settled).filter((one) => one.status === 'rejected');
  assert.ok(refused.length > 2 && refused.length < WAITING_MAX, `${refused.length} are refused`);
  for (const { reason } of refused) assert.ok(refusedFor('provider_look_ups_full')(reason));
});
