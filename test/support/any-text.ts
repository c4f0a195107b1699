/**
 * Texts of any characters of Unicode. `fc.string({ unit: 'binary' })` draws the same, and each use
 * of it first fills a map of all characters, which takes a second.
 */
import fc from 'fast-check';

const LAST = 0x10_ffff;
const SURROGATES = { first: 0xd800, count: 0x800 };

const anyCharacter = fc
  .integer({ min: 0, max: LAST - SURROGATES.count })
  .map((place) => String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count));

/** Half of the characters are ASCII, which most rules are about. */
export function anyText(options: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  const ascii = fc.integer({ min: 0, max: 0x7f }).map((place) => String.fromCodePoint(place));
  return fc.string({ ...options, unit: fc.oneof(ascii, anyCharacter) });
}
