/** Properties of reading amounts, writing them and taking discounts off. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyDiscount, formatAmount, parseAmount } from '../../src/core/money.ts';

const readable = fc.bigInt({ min: 1n, max: 999_999_999_999n });
const basisPoints = fc.integer({ min: 0, max: 10_000 });

test('an amount written and read again is the same amount', () => {
  fc.assert(fc.property(readable, (minor) => parseAmount(formatAmount(minor)) === minor));
});

test('every accepted text is written back as the same number', () => {
  const text = fc
    .tuple(fc.bigInt({ min: 0n, max: 9_999_999_999n }), fc.stringMatching(/^(\.[0-9]{1,2})?$/))
    .map(([whole, decimals]) => `${whole}${decimals}`);
  fc.assert(
    fc.property(text, (amount) => {
      const minor = parseAmount(amount);
      const [whole = '', decimals = ''] = amount.split('.');
      const same = `${whole}.${decimals.padEnd(2, '0')}`;
      assert.equal(minor === undefined ? '0.00' : formatAmount(minor), same);
    }),
  );
});

test('refuses text with anything but digits and one point', () => {
  const stray = fc.tuple(readable, fc.nat(), fc.string({ unit: 'binary-ascii', minLength: 1 }));
  fc.assert(
    fc.property(stray, ([minor, place, inserted]) => {
      fc.pre(/[^0-9]/.test(inserted));
      const amount = formatAmount(minor);
      const at = place % (amount.length + 1);
      assert.equal(parseAmount(amount.slice(0, at) + inserted + amount.slice(at)), undefined);
    }),
  );
});

test('the charge lies between nothing and the face value, and less than a kobo above the exact one', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999n }), basisPoints, (face, discount) => {
      const charge = applyDiscount(face, discount);
      assert.ok(charge >= 0n && charge <= face);
      // In ten-thousandths of a kobo, where the exact charge is a whole number.
      const above = charge * 10_000n - face * BigInt(10_000 - discount);
      assert.ok(above >= 0n && above < 10_000n, `${above} above`);
    }),
  );
});

test('a larger discount never makes a purchase dearer', () => {
  fc.assert(
    fc.property(readable, basisPoints, basisPoints, (face, one, other) => {
      const [less, more] = one < other ? [one, other] : [other, one];
      return applyDiscount(face, more) <= applyDiscount(face, less);
    }),
  );
});
