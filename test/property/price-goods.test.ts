/**
 * Naira prices of gift cards and eSIMs: exact, never below the rate, and never a kobo more than
 * rounding up.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type FxRate, formatRate, parseRate, priceGoods } from '../../src/catalog/fx-rate.ts';

const rates = fc.record({
  currency: fc.constant('USD' as const),
  rateMicro: fc.bigInt({ min: 1n, max: 99_999_999_999_999n }),
  marginBasisPoints: fc.integer({ min: 0, max: 10_000 }),
});
const amounts = fc.bigInt({ min: 1n, max: 1_000_000_000n });

function price(amount: bigint, rate: FxRate): { ngnPrice: bigint; ngnCost: bigint } {
  return priceGoods({ amount, currency: 'USD' }, rate);
}

test('a price is the exact product, rounded up to the kobo and no further', () => {
  fc.assert(
    fc.property(amounts, rates, (amount, rate) => {
      const { ngnPrice, ngnCost } = price(amount, rate);
      const exact = amount * rate.rateMicro * BigInt(10_000 + rate.marginBasisPoints);
      assert.ok(ngnPrice * 10_000_000_000n >= exact && (ngnPrice - 1n) * 10_000_000_000n < exact);
      assert.ok(ngnCost * 1_000_000n >= amount * rate.rateMicro && ngnCost >= 1n);
      assert.ok(ngnPrice >= ngnCost);
      if (rate.marginBasisPoints === 0) assert.equal(ngnPrice, ngnCost);
    }),
  );
});

test('a price never falls when amount, rate or margin rise', () => {
  fc.assert(
    fc.property(amounts, rates, (amount, rate) => {
      const { ngnPrice } = price(amount, rate);
      assert.ok(price(amount + 1n, rate).ngnPrice >= ngnPrice);
      assert.ok(price(amount, { ...rate, rateMicro: rate.rateMicro + 1n }).ngnPrice >= ngnPrice);
      assert.ok(
        price(amount, { ...rate, marginBasisPoints: rate.marginBasisPoints + 1 }).ngnPrice >= ngnPrice,
      );
    }),
  );
});

test('known prices', () => {
  const rate = { currency: 'USD', rateMicro: 1_545_000_000n, marginBasisPoints: 300 } as const;
  assert.deepEqual(price(2_500n, rate), { ngnPrice: 3_978_375n, ngnCost: 3_862_500n });
  // A cent at a third of a naira: a fraction of a kobo is a kobo.
  assert.deepEqual(price(1n, { ...rate, rateMicro: 333_333n, marginBasisPoints: 0 }), {
    ngnPrice: 1n,
    ngnCost: 1n,
  });
  assert.throws(() => priceGoods({ amount: 1n, currency: 'GBP' }, rate));
  assert.throws(() => price(0n, rate));
});

test('a rate that is written reads as itself, and no other text is a rate', () => {
  fc.assert(fc.property(rates, ({ rateMicro }) => assert.equal(parseRate(formatRate(rateMicro)), rateMicro)));
  assert.deepEqual(['1545.25', '0.000001', '412.123456'].map(parseRate), [1_545_250_000n, 1n, 412_123_456n]);
  for (const text of [
    '',
    '0',
    '0.0',
    '-1',
    '+1',
    '1.',
    '.5',
    '01',
    '1e3',
    '1,5',
    ' 1',
    '1.1234567',
    '100000000',
  ]) {
    assert.equal(parseRate(text), undefined, text);
  }
});
