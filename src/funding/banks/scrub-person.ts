/**
 * Removes personal data from a bank's messages, which quote BVN, names, e-mail and phone. The rest
 * is stored, logged and shown. Pure.
 */

const LENGTH_MAX = 200;
const EMAIL = /[^\s@<>"',;()]+@[^\s@<>"',;()]+/g;
/** Account and identity numbers and phones, in groups or not, masked in part or not. */
const NUMBER = /\+?[\d*](?:[ -]?[\d*]){3,}/g;
/** `0`, `R42`, `PARTIALLY_PAID`, `abandoned`. */
const CODE = /^(?=.{1,20}$)(?:[A-Z]{0,3}\d{1,4}|[a-z]+|[A-Z]+(?:_[A-Z]+)*)$/;

/**
 * Two or more capitalised words: a name, unless they are banking words. A BVN's owner may be
 * unknown.
 */
const CAPITALS = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}'’.-]*(?:\s+\p{Lu}[\p{L}'’.-]*)+/gu;
const BANKING: ReadonlySet<string> = new Set(
  (
    'a access account already and bank business bvn code contact country customer data date details does ' +
    'duplicate email error exists failed field first for format found has id identification identity in ' +
    'invalid is kyc last match microfinance middle mismatch missing must name nin no not nuban number of ' +
    'or phone please provided record reference request required reserve service ' +
    'sterling support surname system test the this titan to transaction try unknown unable user ' +
    'validation value verification verified wema with wrong you your'
  ).split(' '),
);

/** Removes personal data. `known` has the person's registered data, in any letter case. */
export function scrubPerson(text: string, known: readonly (string | undefined)[]): string {
  const names = known.flatMap((one) => (one ?? '').split(/\s+/)).filter((name) => name.length > 1);
  const plain = text.replace(EMAIL, '[e-mail]').replace(NUMBER, '[number]');
  return names.reduce(withoutName, plain).replace(CAPITALS, withoutUnknown).slice(0, LENGTH_MAX);
}

/** Replaces two or more words in a row that are not banking words. */
function withoutUnknown(words: string): string {
  const parts = words.split(/\s+/);
  const isStrange = parts.map((part) => !BANKING.has(part.toLowerCase().replace(/[.'’-]+$/, '')));
  return parts
    .map((part, at) => (isStrange[at] && (isStrange[at - 1] || isStrange[at + 1]) ? '[name]' : part))
    .join(' ');
}

/**
 * Returns a bank's code or status for the log: letters of one case and at most four digits. Any
 * other value may be personal data and is not quoted.
 */
export function wordOfCode(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (text === undefined || text === null || text === '') return 'missing';
  return typeof text === 'string' && CODE.test(text) ? text : 'unlisted';
}

/** Replaces a name as a whole word: "An" does not match in "bank". */
function withoutName(text: string, name: string): string {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'giu'), '[name]');
}
