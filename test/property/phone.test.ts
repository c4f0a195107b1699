/** Properties of reading mobile numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { localForm, parseMobileNumber } from '../../src/core/products/mobile-number.ts';

const national = fc
  .tuple(fc.constantFrom('70', '71', '80', '81', '90', '91'), fc.stringMatching(/^[0-9]{8}$/))
  .map((parts) => parts.join(''))
  .filter((digits) => !/^[78]00/.test(digits));

const prefixes = ['0', '234', '+234', '2340', '+2340'];

test('every spelling of a number normalises the same, and normalising is idempotent', () => {
  fc.assert(
    fc.property(national, (digits) => {
      for (const prefix of prefixes) assert.equal(parseMobileNumber(prefix + digits), `234${digits}`);
      assert.equal(parseMobileNumber(localForm(`234${digits}`)), `234${digits}`);
    }),
  );
});

test('different numbers never normalise the same', () => {
  fc.assert(
    fc.property(
      national,
      national,
      fc.constantFrom(...prefixes),
      fc.constantFrom(...prefixes),
      (a, b, p, q) => {
        fc.pre(a !== b);
        assert.notEqual(parseMobileNumber(p + a), parseMobileNumber(q + b));
      },
    ),
  );
});

test('a digit too many or too few is refused in every spelling', () => {
  fc.assert(
    fc.property(
      national,
      fc.constantFrom(...prefixes),
      fc.integer({ min: 0, max: 9 }),
      (digits, prefix, digit) => {
        assert.equal(parseMobileNumber(`${prefix}${digits}${digit}`), undefined);
        assert.equal(parseMobileNumber(prefix + digits.slice(0, -1)), undefined);
      },
    ),
  );
});

test('reads every accepted number as 13 digits of Nigeria, and accepts only digits', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary-ascii' }), fc.stringMatching(/^\+?[0-9]{9,15}$/)),
      (text) => {
        const number = parseMobileNumber(text);
        if (number === undefined) return;
        assert.match(number, /^234[789][01][0-9]{8}$/);
        assert.match(text, /^\+?[0-9]+$/);
      },
    ),
  );
});
