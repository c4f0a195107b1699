/** The order of a route with a strategy, and the choice that a purchase stores. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KnownCost } from '../../../src/catalog/margins/expected-cost.ts';
import type { Measure } from '../../../src/catalog/measures/measure.ts';
import type { StoredStrategy } from '../../../src/catalog/routes/route-store.ts';
import { chooseRoute } from '../../../src/purchases/create/choose-route.ts';
import type { PricedRequest } from '../../../src/purchases/engine/accept-purchase.ts';
import { choiceText } from '../../../src/purchases/state/purchase-details.ts';
import { fixedRoutes } from '../../support/fixed-routes.ts';

const place = { environment: 'live', product: 'data', network: 'MTN' } as const;

function measure(provider: string, fields: Partial<Measure> = {}): Measure {
  return {
    ...place,
    provider,
    delivered: 987,
    answers: 1_000,
    refusals: 13,
    contradicted: 0,
    delivered_refusals: 0,
    differing_days: 0,
    long_unknown: 0,
    final_ms: 9_000,
    face_value: 0n,
    cost: 0n,
    float_left: null,
    float_hours: null,
    ...fields,
  };
}

function cost(provider: string, kobo: bigint): KnownCost {
  return { ...place, provider, planCode: 'MTN-1', currency: 'NGN', amount: 250_00n, cost: kobo };
}

function priced(reference: string, route = ['one', 'two', 'three']): PricedRequest {
  return {
    request: {
      principal: { environment: 'live', merchant: { id: 7 } } as PricedRequest['request']['principal'],
      reference,
      product: 'data',
      network: 'MTN',
      msisdn: '08031234567',
      recipient: '2348031234567',
      faceValue: 250_00n,
    } as PricedRequest['request'],
    walletId: 1n,
    charge: 245_00n,
    planCode: 'MTN-1',
    details: { planCodes: {} },
    billAmount: undefined,
    route,
  };
}

function routes(strategy: StoredStrategy, measures: readonly Measure[], costs: readonly KnownCost[]) {
  return {
    ...fixedRoutes(() => []),
    find: () => ({ providers: [], shares: undefined, strategy }),
    figures: () => ({ measures: new Map(measures.map((one) => [one.provider, one])), costs }),
  };
}

const costs = [cost('one', 240_00n), cost('two', 212_00n), cost('three', 230_50n)];
const all = ['one', 'two', 'three'].map((name) => measure(name));

describe('a route that chooses', () => {
  it('goes to the cheapest provider, and fails over to the next cheapest', () => {
    const chosen = chooseRoute({ routes: routes('cheapest', all, costs) }, priced('r-1'), true);
    assert.deepEqual(chosen.route, ['two', 'three', 'one']);
    const choice = chosen.choices?.get('two');
    const figures = { cost: '21200', success: 98.7, seconds: 9, grade: 'A' } as const;
    assert.deepEqual(choice, { strategy: 'cheapest', of: 3, ...figures });
    assert.match(choiceText(choice), /₦212 of 3, 98\.7 % in 9 s/);
  });

  it('keeps the order without a strategy that chooses', () => {
    const purchase = priced('r-1');
    assert.equal(chooseRoute({ routes: routes('order', all, costs) }, purchase, true), purchase);
  });

  it('chooses only among the remaining providers of the route', () => {
    const chosen = chooseRoute(
      { routes: routes('cheapest', all, costs) },
      priced('r-1', ['one', 'three']),
      true,
    );
    assert.deepEqual(chosen.route, ['three', 'one']);
  });

  it('does not choose a provider whose float is less than the cost', () => {
    const short = [measure('one'), measure('two', { float_left: 211_99n }), measure('three')];
    const chosen = chooseRoute({ routes: routes('cheapest', short, costs) }, priced('r-1'), true);
    assert.deepEqual(chosen.route, ['three', 'one', 'two']);
    const enough = [measure('one'), measure('two', { float_left: 212_00n }), measure('three')];
    assert.equal(
      chooseRoute({ routes: routes('cheapest', enough, costs) }, priced('r-1'), true).route[0],
      'two',
    );
  });

  it('expects the list price of a provider whose cost is unknown', () => {
    const chosen = chooseRoute({ routes: routes('cheapest', all, costs.slice(0, 1)) }, priced('r-1'), true);
    assert.deepEqual(chosen.route, ['one', 'two', 'three']);
    assert.deepEqual(chosen.choices?.get('two')?.cost, undefined);
  });

  it('prefers the most accurate one of equals', () => {
    const lying = [
      measure('one', { contradicted: 40 }),
      measure('two', { contradicted: 1 }),
      measure('three'),
    ];
    const equal = ['one', 'two', 'three'].map((name) => cost(name, 230_00n));
    for (const strategy of ['cheapest', 'most_reliable', 'balanced'] as const) {
      const chosen = chooseRoute({ routes: routes(strategy, lying, equal) }, priced('r-1'), true);
      assert.deepEqual(chosen.route, ['three', 'two', 'one'], strategy);
    }
  });

  it('tries a provider without figures now and then, and always in the same way for one reference', () => {
    const known = { routes: routes('cheapest', all.slice(1), costs) };
    const firsts = Array.from({ length: 2_000 }, (_, number) => {
      const purchase = priced(`r-${number}`);
      const [first] = chooseRoute(known, purchase, true).route;
      assert.equal(chooseRoute(known, purchase, true).route[0], first);
      return first;
    });
    const tried = firsts.filter((first) => first === 'one').length;
    assert.ok(tried > 50 && tried < 200, `${tried} of 2000`);
    assert.ok(firsts.every((first) => first === 'one' || first === 'two'));
  });
});
