/**
 * The patterns of the document accept everything that the formats of the schemas accept, and hardly
 * more.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Format, formats } from '../../src/api/plumbing/formats.ts';
import { formatPatterns } from '../../src/api/plumbing/openapi/describe-request.ts';
import { runs } from '../support/budget.ts';

const digit = fc.constantFrom(...'0123456789');
const spelt = (...parts: string[]): fc.Arbitrary<string> =>
  fc.array(fc.oneof(fc.constantFrom(...parts), digit), { maxLength: 14 }).map((pieces) => pieces.join(''));

/** Texts, many of which match the format, and many nearly do. */
const near: Readonly<Record<Format, fc.Arbitrary<string>>> = {
  'clean-text': fc
    .array(fc.constantFrom('a', ' ', '\t', '\u0000', '\u007f', '\u0085', '\u00a0', 'ọ', '😀'))
    .map((c) => c.join('')),
  'naira-amount': spelt('.', '0', '00', '-', '1000'),
  'airtime-amount': spelt('.', '0', '00', '500000'),
  'mobile-number': fc
    .tuple(
      fc.constantFrom('0', '234', '+234', '2340', '+', ''),
      fc.constantFrom('80', '70', '700', '800', '8000000', '91', '60'),
      fc.string({ unit: digit, minLength: 0, maxLength: 8 }),
    )
    .map((parts) => parts.join('')),
  'mobile-network': fc.mixedCase(
    fc.constantFrom('mtn', 'glo', 'airtel', '9mobile', 'etisalat', 't2', 'mtnn', ''),
  ),
  'phone-number': fc
    .tuple(fc.constantFrom('+', '0803', ''), fc.string({ unit: digit, maxLength: 16 }))
    .map((parts) => parts.join('')),
  'e-mail': fc.oneof(fc.emailAddress(), spelt('@', '.', 'a', '-', 'com')),
  day: fc
    .tuple(
      fc.integer({ min: 999, max: 3000 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
    )
    .map(([year, month, day]) => [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')),
  bvn: fc.string({ unit: digit, minLength: 9, maxLength: 12 }),
  'bill-product': fc.mixedCase(
    fc.constantFrom('electricity', 'cable', 'betting', 'education', 'airtime', 'esim'),
  ),
};

/** Where the rule is more than a matter of characters. */
const wider: readonly Format[] = ['airtime-amount', 'day', 'e-mail'];

describe('the pattern of a format', () => {
  for (const format of Object.keys(formats) as Format[]) {
    it(`accepts what ${format} accepts${wider.includes(format) ? '' : ', and nothing else'}`, () => {
      const pattern = new RegExp(formatPatterns[format], 'u');
      let taken = 0;
      fc.assert(
        fc.property(fc.oneof({ arbitrary: near[format], weight: 9 }, fc.string()), (text) => {
          // Empty text is refused by its length.
          if (text === '') return;
          const [right, matches] = [formats[format](text), pattern.test(text)];
          if (right) taken += 1;
          if (wider.includes(format)) assert.ok(matches || !right, text);
          else assert.equal(matches, right, JSON.stringify(text));
        }),
        runs(300),
      );
      assert.ok(taken > 10, `${taken} of the texts obey it`);
    });
  }
});
