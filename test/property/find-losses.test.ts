/**
 * Losses of a price change: found wherever the charge falls below the cheapest cost, and never
 * where the change only raises the margin.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { KnownCost } from '../../src/catalog/margins/expected-cost.ts';
import {
  type BuyerPrices,
  findLosses,
  type LivePrices,
  type PricedPlan,
} from '../../src/catalog/margins/find-losses.ts';
import { applyDiscount } from '../../src/core/money.ts';
import { indexRules, type PriceRule } from '../../src/merchants/prices/price-rule.ts';

const providers = ['near', 'far', 'third'] as const;
const merchants = ['ONE', 'TWO'] as const;
const place = { product: 'data', network: 'MTN' } as const;

const plans = fc
  .uniqueArray(fc.record({ code: fc.integer({ min: 1, max: 4 }), price: fc.bigInt(1_00n, 100_000_00n) }), {
    selector: ({ code }) => code,
    minLength: 1,
  })
  .map((list) =>
    list.map(
      ({ code, price }): PricedPlan => ({
        ...place,
        planCode: `MTN-${code}`,
        currency: 'NGN',
        amount: price,
        isFixed: true,
        providers: undefined,
      }),
    ),
  );
const costs = fc
  .uniqueArray(
    fc.record({
      provider: fc.constantFrom(...providers),
      code: fc.integer({ min: 1, max: 4 }),
      amount: fc.bigInt(1_00n, 100_000_00n),
      percent: fc.bigInt(50n, 120n),
    }),
    { selector: ({ provider, code }) => `${provider} ${code}` },
  )
  .map((list) =>
    list.map(
      ({ provider, code, amount, percent }): KnownCost => ({
        ...place,
        environment: 'live',
        provider,
        planCode: `MTN-${code}`,
        currency: 'NGN',
        amount,
        cost: (amount * percent) / 100n,
      }),
    ),
  );
const basisPoints = fc.integer({ min: 0, max: 10_000 });

function discountOf(kind: string, off: number): PriceRule {
  return { ...place, kind, plan: '*', pricing: { by: 'off', off }, roundTo: 1n };
}

function offOf({ rules }: BuyerPrices): number {
  const [rule] = rules.values();
  return rule?.pricing.by === 'off' ? rule.pricing.off : 0;
}

const buyers = fc
  .tuple(basisPoints, basisPoints)
  .map((points) =>
    merchants.map((buyer, index) => ({ buyer, rules: indexRules([discountOf('*', points[index] ?? 0)]) })),
  );
const prices: fc.Arbitrary<LivePrices> = fc
  .record({
    plans,
    costs,
    lists: buyers,
    route: fc.uniqueArray(fc.constantFrom(...providers), { minLength: 1 }),
    shared: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ route, shared, ...list }) => ({
    ...list,
    rates: new Map(),
    routes: new Map([['data/*/*', { first: route.slice(0, shared), providers: route }]]),
  }));

test('finds every charge that a discount takes below the cheapest cost', () => {
  fc.assert(
    fc.property(prices, fc.constantFrom(...merchants), basisPoints, (before, merchant, points) => {
      const present = before.lists.find(({ buyer }) => buyer === merchant);
      const old = present === undefined ? 0 : offOf(present);
      const after = {
        ...before,
        lists: before.lists.map((one) =>
          one.buyer === merchant ? { ...one, rules: indexRules([discountOf('*', points)]) } : one,
        ),
      };
      const losses = findLosses(before, after);
      const route = before.routes.get('data/*/*')?.providers ?? [];
      for (const { planCode, amount = 0n } of before.plans) {
        const charge = applyDiscount(amount, points);
        const known = before.costs.filter((one) => one.planCode === planCode && route.includes(one.provider));
        // A provider whose cost is known only for other plans may cost less.
        if (known.length < route.length || charge >= applyDiscount(amount, old)) continue;
        if (known.some(({ cost }) => charge >= cost)) continue;
        assert.ok(losses.some((sale) => sale.buyer === merchant && sale.planCode === planCode));
      }
    }),
  );
});

test('finds nothing where discounts fall, prices rise and providers cost less', () => {
  const share = fc.bigInt(0n, 100n);
  fc.assert(
    fc.property(prices, share, share, share, (before, lessDiscount, morePrice, lessCost) => {
      const after: LivePrices = {
        ...before,
        lists: before.lists.map((one) => ({
          ...one,
          rules: indexRules([discountOf('*', Math.floor((offOf(one) * Number(100n - lessDiscount)) / 100))]),
        })),
        plans: before.plans
          .filter(({ planCode }) =>
            // A plan that was never sold has a cost estimated from its price.
            before.routes
              .get('data/*/*')
              ?.providers.every((name) =>
                before.costs.some((one) => one.planCode === planCode && one.provider === name),
              ),
          )
          .map((plan) => ({ ...plan, amount: ((plan.amount ?? 0n) * (100n + morePrice)) / 100n })),
        costs: before.costs.map((one) => ({ ...one, cost: (one.cost * (100n - lessCost)) / 100n })),
      };
      // A kobo is the least that a price can move by, and a discount is rounded down to it.
      const found = findLosses(before, after).filter(({ charge, cost }) => cost - charge > 1n);
      assert.deepEqual(found, []);
    }),
  );
});

test('finds nothing without a change, and finds a route to a more expensive provider', () => {
  fc.assert(
    fc.property(prices, (list) => {
      assert.deepEqual(findLosses(list, list), []);
    }),
  );
  const cost = {
    ...place,
    environment: 'live',
    planCode: 'MTN-1',
    currency: 'NGN',
    amount: 1_000_00n,
  } as const;
  const list: LivePrices = {
    plans: [
      { ...place, planCode: 'MTN-1', currency: 'NGN', amount: 1_000_00n, isFixed: true, providers: [] },
    ],
    lists: [{ buyer: 'ONE', rules: indexRules([discountOf('*', 250)]) }],
    rates: new Map(),
    routes: new Map([['data/MTN/*', { first: ['near'], providers: ['near'] }]]),
    costs: [
      { ...cost, provider: 'near', cost: 970_00n },
      { ...cost, provider: 'far', cost: 980_00n },
    ],
  };
  const routed = (...names: string[]): LivePrices => ({
    ...list,
    routes: new Map([['data/MTN/*', { first: names.slice(0, 1), providers: names }]]),
  });
  assert.deepEqual(
    findLosses(list, routed('far')).map(({ buyer, provider, charge, cost: taken }) => [
      buyer,
      provider,
      charge,
      taken,
    ]),
    [['ONE', 'far', 975_00n, 980_00n]],
  );
  assert.equal(findLosses(list, routed('far', 'near')).length, 1);
  assert.deepEqual(findLosses(list, routed('near', 'far')), []);
  assert.deepEqual(findLosses(list, routed('third')), []);
});

test('the discount of a kind counts in place of the discount of the network', () => {
  const plan = { ...place, planKind: 'sme', currency: 'NGN', amount: 1_000_00n, isFixed: true } as const;
  const list = (points: number, kindPoints: number, planKind = 'sme'): LivePrices => ({
    plans: [{ ...plan, planKind, planCode: 'MTN-1', providers: undefined }],
    lists: [{ buyer: 'ONE', rules: indexRules([discountOf('*', points), discountOf('sme', kindPoints)]) }],
    rates: new Map(),
    routes: new Map([
      ['data/*/sme', { first: ['near'], providers: ['near'] }],
      ['data/*/*', { first: ['far'], providers: ['far'] }],
    ]),
    costs: [
      {
        ...place,
        environment: 'live',
        planCode: 'MTN-1',
        currency: 'NGN',
        amount: 1_000_00n,
        provider: 'near',
        cost: 900_00n,
      },
      {
        ...place,
        environment: 'live',
        planCode: 'MTN-1',
        currency: 'NGN',
        amount: 1_000_00n,
        provider: 'far',
        cost: 990_00n,
      },
    ],
  });
  fc.assert(
    fc.property(basisPoints, fc.integer({ min: 0, max: 1_000 }), (points, kindPoints) => {
      assert.deepEqual(findLosses(list(0, 0), list(points, kindPoints)), []);
    }),
  );
  assert.partialDeepStrictEqual(findLosses(list(0, 0), list(0, 1_001)), [{ provider: 'near' }]);
  assert.partialDeepStrictEqual(findLosses(list(0, 0, 'gifting'), list(101, 0, 'gifting')), [
    { provider: 'far' },
  ]);
});
