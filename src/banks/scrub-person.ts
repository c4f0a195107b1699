/**
 * Takes a person out of a bank's words, which quote what the merchant sent: BVN, names, e-mail and
 * phone. What is left is stored, logged and shown. Pure.
 */

const LENGTH_MAX = 200;
const EMAIL = /[^\s@<>"',;()]+@[^\s@<>"',;()]+/g;
/** Account and identity numbers and phones, in groups or not, masked in part or not. */
const NUMBER = /\+?[\d*](?:[ -]?[\d*]){3,}/g;

/** `known`: what the person is known by here, in any letter case. */
export function scrubPerson(text: string, known: readonly (string | undefined)[]): string {
  const names = known.flatMap((one) => (one ?? '').split(/\s+/)).filter((name) => name.length > 1);
  const plain = text.replace(EMAIL, '[e-mail]').replace(NUMBER, '[number]');
  return names.reduce(withoutName, plain).slice(0, LENGTH_MAX);
}

/** As a word of its own: the name "An" is no part of "bank". */
function withoutName(text: string, name: string): string {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'giu'), '[name]');
}
