/** The choice of a provider: properties of the rule, and the preferences of each strategy. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Candidate,
  choosingStrategies,
  expectFrom,
  rankProviders,
  TRIAL_PERCENT,
} from '../../../src/catalog/measures/rank-providers.ts';

/** No purchase with this number tries a provider. */
const NO_TRIAL = 99;

const good: Candidate = {
  provider: 'one',
  cost: 100_00n,
  answers: 1_000,
  success: 0.98,
  truth: 1,
  seconds: 5,
  floatLeft: 1_000_000_00n,
  floatHours: 48,
};

const ratio = fc.double({ min: 0, max: 1, noNaN: true });
const figures = fc.record({
  cost: fc.bigInt({ min: 0n, max: 10_000_000n }),
  answers: fc.nat(10_000),
  success: ratio,
  truth: ratio,
  seconds: fc.double({ min: 0, max: 600, noNaN: true }),
  floatLeft: fc.option(fc.bigInt({ min: 0n, max: 20_000_000n }), { nil: undefined }),
  floatHours: fc.option(fc.double({ min: 0, max: 400, noNaN: true }), { nil: undefined }),
});
const candidates = fc
  .array(figures, { minLength: 1, maxLength: 6 })
  .map((all) => all.map((one, index): Candidate => ({ ...one, provider: `p${index}` })));
const strategy = fc.constantFrom(...choosingStrategies);
const chance = fc.nat(2 ** 31 - 1);

const namesOf = (ranked: readonly Candidate[]): string[] => ranked.map(({ provider }) => provider);
const placeOf = (ranked: readonly Candidate[], name: string): number => namesOf(ranked).indexOf(name);

/** One figure of a candidate is improved. */
const better: readonly ((one: Candidate) => Candidate)[] = [
  (one) => ({ ...one, cost: one.cost / 2n }),
  (one) => ({ ...one, success: (one.success + 1) / 2 }),
  (one) => ({ ...one, truth: (one.truth + 1) / 2 }),
  (one) => ({ ...one, seconds: one.seconds / 2 }),
  (one) => ({ ...one, floatHours: one.floatHours && one.floatHours * 2 }),
  (one) => ({ ...one, floatLeft: one.floatLeft && one.floatLeft * 2n }),
];

describe('a rank of providers', () => {
  it('ranks each candidate once', () => {
    fc.assert(
      fc.property(strategy, candidates, chance, (by, all, number) => {
        assert.deepEqual(namesOf(rankProviders(by, all, number)).sort(), namesOf(all).sort());
      }),
    );
  });

  it('never ranks a provider lower for better figures', () => {
    fc.assert(
      fc.property(strategy, candidates, fc.nat(), fc.constantFrom(...better), (by, all, at, improve) => {
        const index = at % all.length;
        const name = `p${index}`;
        const improved = all.map((one, place) => (place === index ? improve(one) : one));
        const before = placeOf(rankProviders(by, all, NO_TRIAL), name);
        assert.ok(placeOf(rankProviders(by, improved, NO_TRIAL), name) <= before);
      }),
    );
  });

  it('ranks a provider whose float does not cover the cost last', () => {
    fc.assert(
      fc.property(strategy, candidates, chance, (by, all, number) => {
        const covers = rankProviders(by, all, number).map(
          ({ floatLeft, cost }) => floatLeft === undefined || floatLeft >= cost,
        );
        assert.deepEqual(
          covers,
          covers.toSorted((one, other) => Number(other) - Number(one)),
        );
      }),
    );
  });

  it('keeps the order of the route among equals', () => {
    const all = ['one', 'two', 'three'].map((provider) => ({ ...good, provider }));
    for (const by of choosingStrategies) {
      assert.deepEqual(namesOf(rankProviders(by, all, NO_TRIAL)), ['one', 'two', 'three']);
    }
  });

  it('prefers the cheaper, the more reliable, or the better value', () => {
    const cheap = { ...good, provider: 'cheap', cost: 90_00n, success: 0.6, seconds: 60 };
    const sure = { ...good, provider: 'sure', cost: 104_00n, success: 0.999 };
    const all = [good, cheap, sure];
    const firstOf = (by: (typeof choosingStrategies)[number]) => namesOf(rankProviders(by, all, NO_TRIAL))[0];
    assert.equal(firstOf('cheapest'), 'cheap');
    assert.equal(firstOf('most_reliable'), 'sure');
    assert.equal(firstOf('balanced'), 'one');
  });

  it('never prefers a cheap provider that fails most orders', () => {
    const cheap = { ...good, provider: 'cheap', cost: 1n, success: 0.4 };
    assert.deepEqual(namesOf(rankProviders('cheapest', [cheap, good], NO_TRIAL)), ['one', 'cheap']);
  });

  it('prefers accuracy, time and float when the rest is equal', () => {
    for (const worse of [{ truth: 0.9 }, { seconds: 500 }, { floatHours: 1 }]) {
      const other = { ...good, provider: 'other', ...worse };
      assert.deepEqual(namesOf(rankProviders('balanced', [other, good], NO_TRIAL)), ['one', 'other']);
    }
  });

  it('gives a provider with few measurements its share, and also one without any', () => {
    const dear = { ...good, provider: 'dear', cost: 101_00n };
    const firsts = (all: readonly Candidate[]): number =>
      Array.from({ length: 10_000 }, (_, number) => rankProviders('cheapest', all, number)).filter(
        ([first]) => first?.provider === 'dear',
      ).length;
    assert.equal(firsts([good, { ...dear, answers: 3 }]), 100 * TRIAL_PERCENT);
    assert.equal(firsts([good, dear]), 0);
    // Not if its float does not cover it.
    assert.equal(firsts([good, { ...dear, answers: 3, floatLeft: 5_00n }]), 0);
  });
});

describe('the expected result of a provider', () => {
  it('starts neutral without figures, and approaches the measured value', () => {
    const unknown = expectFrom(undefined);
    const bad = expectFrom({ delivered: 10, answers: 1_000, meanSeconds: 100 });
    const fine = expectFrom({ delivered: 1_000, answers: 1_000, meanSeconds: 1 });
    assert.ok(bad.success < 0.03 && fine.success > 0.99);
    assert.ok(bad.success < unknown.success && unknown.success < fine.success);
    assert.ok(fine.seconds < unknown.seconds && unknown.seconds < bad.seconds);
  });
});
