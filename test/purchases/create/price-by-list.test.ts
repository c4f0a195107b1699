/** The price of a purchase by its merchant's price list, by moment and by cost. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { indexRules, type Pricing } from '../../../src/merchants/prices/price-rule.ts';
import type { PriceSchedule } from '../../../src/merchants/prices/price-schedule.ts';
import { priceByList } from '../../../src/purchases/create/price-by-list.ts';
import { fixedRoutes } from '../../support/fixed-routes.ts';
import { noGuards } from '../../support/no-guards.ts';

const beginMs = Date.parse('2027-01-01T00:00:00+01:00');

function schedule(...pricings: readonly Pricing[]): PriceSchedule {
  return pricings.map((pricing, index) => ({
    list: 'gold',
    version: index + 1,
    fromMs: index === 0 ? Number.NEGATIVE_INFINITY : beginMs,
    rules: indexRules([{ product: 'airtime', network: 'MTN', kind: '*', plan: '*', pricing, roundTo: 1n }]),
  }));
}

type Terms = Partial<Parameters<typeof priceByList>[2]>;

function price(
  prices: PriceSchedule,
  atMs: number,
  { network = 'MTN', ...terms }: Terms & { network?: string } = {},
) {
  const costs = new Map([
    ['near', 90_00n],
    ['far', 95_00n],
  ]);
  const merchant = { id: 1, code: 'SHOP', name: 'Shop', suspended: false, products: new Set<string>() };
  const request = {
    principal: {
      credentialId: 'oja_live_x',
      environment: 'live',
      rateLimitPerS: undefined,
      merchant: { ...merchant, prices, wallets: new Map() },
    },
    reference: 'r-1',
    product: 'airtime',
    network,
    planCode: undefined,
    msisdn: '08031234567',
    recipient: '2348031234567',
    faceValue: 100_00n,
    phone: undefined,
  } as const;
  const expects: typeof noGuards.expects = ({ faceValue: amount }, provider) => {
    const cost = costs.get(provider);
    return cost === undefined ? undefined : { provider, amount, cost };
  };
  return priceByList(
    {
      guards: { ...noGuards, expects },
      routes: fixedRoutes(() => ['near', 'far']),
      clock: { now: () => new Date(atMs) },
    },
    request,
    { planKind: 'vtu', route: ['near', 'far'], isFixed: false, ...terms },
  );
}

const rule = 'airtime/MTN/*/*';

describe('the version of a price list', () => {
  const prices = schedule({ by: 'off', off: 200 }, { by: 'off', off: 500 });

  it('changes at its millisecond', () => {
    assert.deepEqual(price(prices, beginMs - 1), {
      charge: 98_00n,
      details: { priceList: { list: 'gold', version: 1, rule } },
    });
    assert.deepEqual(price(prices, beginMs), {
      charge: 95_00n,
      details: { priceList: { list: 'gold', version: 2, rule } },
    });
  });

  it('is stored with the other details, only if one of its rules applies', () => {
    const details = { kind: 'share_and_sell' } as const;
    assert.deepEqual(price(prices, beginMs, { details }).details, {
      ...details,
      priceList: { list: 'gold', version: 2, rule },
    });
    assert.deepEqual(price(prices, beginMs, { network: 'GLO', details }), { charge: 100_00n, details });
    assert.deepEqual(price([], beginMs), { charge: 100_00n, details: undefined });
  });
});

describe('a margin', () => {
  const prices = schedule({ by: 'margin', margin: 250 });

  it('is added to the cost at the provider that is first, which the purchase keeps', () => {
    assert.deepEqual(price(prices, beginMs), {
      charge: 92_25n,
      details: { priceList: { list: 'gold', version: 1, rule, cost: '9000' } },
    });
    assert.equal(price(prices, beginMs, { route: ['far', 'near'] }).charge, 97_38n);
  });

  it('uses the cheapest known cost if that of the first is unknown, and otherwise the face value', () => {
    assert.equal(price(prices, beginMs, { route: ['third', 'far', 'near'] }).charge, 92_25n);
    assert.deepEqual(price(prices, beginMs, { route: ['third'] }), {
      charge: 100_00n,
      details: { priceList: { list: 'gold', version: 1, rule } },
    });
  });

  it('never charges more than the face value', () => {
    const dear = schedule({ by: 'margin', margin: 10_000 });
    assert.equal(price(dear, beginMs).charge, 100_00n);
  });
});
