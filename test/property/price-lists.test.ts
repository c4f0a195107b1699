/** Price lists: the rule that prices a purchase, its limits, and its version. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  chargeByRule,
  indexRules,
  type PriceRule,
  type Pricing,
  placesOf,
  ruleAt,
} from '../../src/merchants/prices/price-rule.ts';
import { heldRule, type PriceVersion, versionAt } from '../../src/merchants/prices/price-schedule.ts';

const share = fc.integer({ min: 0, max: 10_000 });
const naira = fc.bigInt(1n, 100_000_000_00n);
const pricing: fc.Arbitrary<Pricing> = fc.oneof(
  fc.record({ by: fc.constant('price' as const), price: naira }),
  fc.record({ by: fc.constant('off' as const), off: share }),
  fc.record({ by: fc.constant('margin' as const), margin: share }),
);
const roundTo = fc.constantFrom(1n, 100n, 500n, 1_000n);
const cost = fc.option(naira, { nil: undefined });

const or = (word: string) => fc.constantFrom(word, '*');
const place = fc
  .record({ network: or('MTN'), kind: or('sme'), plan: or('MTN-1'), product: or('data') })
  .map(({ product, network, kind, plan }) => {
    if (product === '*') return { product, network: '*', kind: '*', plan: '*' };
    return plan === '*' ? { product, network, kind, plan } : { product, network: 'MTN', kind: '*', plan };
  });
const rules: fc.Arbitrary<PriceRule[]> = fc.uniqueArray(
  fc.record({ place, pricing, roundTo }).map(({ place, ...rule }) => ({ ...place, ...rule })),
  { selector: (rule) => [rule.product, rule.network, rule.kind, rule.plan].join('/') },
);
const bought = { product: 'data', network: 'MTN', planKind: 'sme', planCode: 'MTN-1' } as const;

test('a charge is never below zero, never above the face value, and rounded unless it is the face value', () => {
  fc.assert(
    fc.property(pricing, roundTo, naira, cost, (pricing, roundTo, faceValue, cost) => {
      const charge = chargeByRule({ pricing, roundTo }, faceValue, cost);
      assert.ok(charge >= 0n && charge <= faceValue);
      assert.ok(charge === faceValue || charge % roundTo === 0n);
    }),
  );
});

test('rounding never makes a purchase cheaper, and adds less than it rounds to', () => {
  fc.assert(
    fc.property(pricing, roundTo, naira, cost, (pricing, roundTo, faceValue, cost) => {
      const exact = chargeByRule({ pricing, roundTo: 1n }, faceValue, cost);
      const rounded = chargeByRule({ pricing, roundTo }, faceValue, cost);
      assert.ok(rounded >= exact && rounded - exact < roundTo);
    }),
  );
});

test('a margin is at least its share of the cost, unless the face value is less', () => {
  fc.assert(
    fc.property(share, roundTo, naira, naira, (margin, roundTo, faceValue, cost) => {
      const charge = chargeByRule({ pricing: { by: 'margin', margin }, roundTo }, faceValue, cost);
      assert.ok(charge === faceValue || (charge - cost) * 10_000n >= cost * BigInt(margin));
    }),
  );
  const unknown = chargeByRule({ pricing: { by: 'margin', margin: 0 }, roundTo: 1n }, 500_00n, undefined);
  assert.equal(unknown, 500_00n);
});

test('applies the most specific rule, in any order of the rules', () => {
  // A plan before a network, a network before a kind, and every product last.
  const rank = ({ product, network, kind, plan }: PriceRule): number =>
    [plan, network, kind, product].reduce((sum, word) => sum * 2 + (word === '*' ? 0 : 1), 0);
  fc.assert(
    fc.property(
      rules.chain((all) => fc.shuffledSubarray(all, { minLength: all.length })),
      (stored) => {
        const [best] = [...stored].sort((one, other) => rank(other) - rank(one));
        assert.equal(ruleAt(indexRules(stored), placesOf(bought)), best);
      },
    ),
  );
});

test('never applies a rule of another product, network, kind or plan', () => {
  fc.assert(
    fc.property(rules, (stored) => {
      const elsewhere = stored.filter(({ product }) => product !== '*');
      for (const other of [
        { ...bought, product: 'airtime' },
        { product: 'data', network: 'GLO', planKind: 'gifting', planCode: 'GLO-1' },
      ]) {
        const found = ruleAt(indexRules(elsewhere), placesOf(other));
        assert.ok(found === undefined || (found.product === other.product && found.network === '*'));
        assert.ok(found === undefined || (found.kind === '*' && found.plan === '*'));
      }
    }),
  );
});

test('uses the version that began last, at every time', () => {
  const begins = fc.uniqueArray(fc.integer({ min: 0, max: 1_000 }), { minLength: 1 });
  fc.assert(
    fc.property(begins, fc.integer({ min: -1, max: 1_001 }), fc.boolean(), (times, now, hasBegun) => {
      const sorted = [...times].sort((one, other) => one - other);
      const schedule = sorted.map(
        (fromMs, index): PriceVersion => ({
          list: 'gold',
          version: index + 1,
          fromMs: hasBegun && index === 0 ? Number.NEGATIVE_INFINITY : fromMs,
          rules: indexRules([
            {
              product: '*',
              network: '*',
              kind: '*',
              plan: '*',
              pricing: { by: 'off', off: index },
              roundTo: 1n,
            },
          ]),
        }),
      );
      const held = versionAt(schedule, now);
      const expected = sorted.filter((fromMs, index) => fromMs <= now || (hasBegun && index === 0)).length;
      assert.equal(held?.version ?? 0, expected);
      assert.equal(heldRule(schedule, placesOf(bought), now)?.version, held?.version);
    }),
  );
});
