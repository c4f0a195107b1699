/**
 * Reads the fields of an upstream's reply. Upstreams write numbers as text, change the spelling of
 * names, and quote the request. So every text is bounded and on one line, and a value that is not
 * clearly of the wanted form is undefined.
 */
import { timingSafeEqual } from 'node:crypto';
import { isRecord } from '../../core/json.ts';
import { minorUnitsOf } from '../../core/money.ts';

export type Body = Readonly<Record<string, unknown>>;

export function isBody(value: unknown): value is Body {
  return isRecord(value);
}

const WORD_LENGTH_MAX = 200;

/**
 * Reads a text or a number as bounded text on one line. Undefined for empty text and other values.
 */
export function word(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return undefined;
  const text = value
    .slice(0, WORD_LENGTH_MAX)
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .trim();
  return text === '' ? undefined : text;
}

/** Reads an amount (`97`, `"97.00"`, `48.510000000000005`) in minor units, rounded half up. */
export function minorUnits(value: unknown): bigint | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,20}))?$/.exec(word(value) ?? '');
  if (match?.[1] === undefined) return undefined;
  return minorUnitsOf(match[1], match[2]);
}

/** Reads naira as `minorUnits` does, also with commas between thousands: `"1,500.00"`. */
export function naira(value: unknown): bigint | undefined {
  const text = word(value) ?? '';
  return minorUnits(/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text);
}

/** Reads a time that is counted in seconds or milliseconds since 1970. */
export function countedTime(value: unknown): Date | undefined {
  const text = word(value) ?? '';
  if (/^\d{13}$/.test(text)) return new Date(Number(text));
  return /^\d{10}$/.test(text) ? new Date(Number(text) * 1_000) : undefined;
}

/** Reads a time. Times without a zone are in UTC. */
export function readUtcTime(value: unknown): Date | undefined {
  const text = word(value);
  if (text === undefined) return undefined;
  const counted = countedTime(text);
  if (counted !== undefined) return counted;
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text);
  const time = new Date(hasZone ? text : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

// Twenty digits, together or in five groups, that are not part of a longer number.
const TOKENS = /(?<!\d)(?:\d{20}|\d{4}(?:[ -]\d{4}){4})(?!\d)/g;

/**
 * Reads the digits of the first 20-digit token in a text (`Token : 2636-2054-…`). Refuses a JSON
 * number, which cannot hold twenty digits.
 */
export function meterToken(value: unknown): string | undefined {
  const { recharge, keyChange } = meterTokens(value);
  return recharge[0] ?? keyChange[0];
}

export type MeterTokens = { readonly recharge: readonly string[]; readonly keyChange: readonly string[] };

const KEY_CHANGE =
  /kct|key[\s_-]*change|set[\s_-]*key|reset|configur|roll[\s_-]*over|\bsgc\b|(?:\bti|upgrade|update)[\s_-]*token/i;
const RECHARGE = /token(?!s)|recharge|energy|credit|bonus|standard/i;

/**
 * Reads all tokens in a text in order, key change tokens apart. A number without a name has the
 * name of the number before it. When a text mentions key change tokens, and the kind of one of its
 * numbers is not certain, no number counts as a recharge token.
 */
export function meterTokens(value: unknown): MeterTokens {
  const text = typeof value === 'string' ? plainNames(value) : '';
  const numbers = namedNumbers(text);
  if (!KEY_CHANGE.test(text)) return { recharge: numbers.map(({ digits }) => digits), keyChange: [] };
  const recharge: string[] = [];
  const keyChange: string[] = [];
  const areNamesBehind = numbers.some(({ behind }) => kindOf(behind) === 'keyChange');
  const isRechargeNamed = numbers.some((one) => kindOf(one.before, one.behind) === 'recharge');
  let into: string[] | undefined;
  let isCertain = true;
  for (const { digits, before, behind } of numbers) {
    const kind = kindOf(before, behind);
    if (kind !== undefined) into = kind === 'keyChange' ? keyChange : recharge;
    else if (before !== undefined || areNamesBehind) into = undefined;
    else if (into === undefined && !isRechargeNamed) into = recharge;
    if (into === undefined) isCertain = false;
    into?.push(digits);
  }
  return { recharge: isCertain ? recharge : [], keyChange };
}

function kindOf(...names: readonly (string | undefined)[]): keyof MeterTokens | undefined {
  const words = names.join(' ');
  if (KEY_CHANGE.test(words)) return 'keyChange';
  return RECHARGE.test(words) ? 'recharge' : undefined;
}

/** Writes the names of key change tokens alike, and drops markup and `KCT not required`. */
function plainNames(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/<[^<>]*>/g, '\n')
    .replace(/k\.c\.t\.?/gi, 'KCT')
    .replace(/kct\W{1,2}(\d)(?!\d)\)?/gi, 'KCT$1')
    .replace(/(?:kct\d?s?|key[\s-]change)\W{0,3}(?:is |are )?(?:none|null|nil|n\/a|not)\b/gi, ' ')
    .replace(/\bno (?:kct|key[\s-]change)[a-z ]{0,40}(?:needed|required)/gi, ' ');
}

type NamedNumber = {
  readonly digits: string;
  /** The words before the number: `KCT1` of `KCT1: 1111…`. */
  readonly before: string | undefined;
  /** The words that follow the number and may name it: `KCT1` of `1111… (KCT1)`. */
  readonly behind: string | undefined;
};

function namedNumbers(text: string): readonly NamedNumber[] {
  const found = [...text.matchAll(TOKENS)];
  const last = found.at(-1);
  const end = last === undefined ? '' : text.slice(last.index + last[0].length);
  const isLastNamedBehind = kindOf(clauseBehind(end).words) !== undefined;
  let from = 0;
  return found.map(({ 0: number, index }, at) => {
    const before = lastClause(text.slice(from, index));
    from = index + number.length;
    const { words, length, isOpen } = clauseBehind(text.slice(from, found[at + 1]?.index));
    const kind = kindOf(words);
    // `KCT1 2222…` may name either number, and `KCT1 Token2: 2222…` both.
    const isEither = isOpen && at + 1 < found.length;
    const isBoth = /kct\d*\s+token/i.test(words);
    const isNext = /[:=]["'\s]*$/.test(words) && !isBoth;
    const isBehind = isEither
      ? kind === 'keyChange' && (before === undefined || isLastNamedBehind || isBoth)
      : kind !== undefined;
    const digits = number.replace(/\D/g, '');
    if (isNext || !isBehind) return { digits, before, behind: undefined };
    if (!isEither) from += length;
    return { digits, before, behind: words };
  });
}

/** Reads what directly follows a number: words in brackets, or those up to punctuation. */
function clauseBehind(text: string): {
  readonly words: string;
  readonly length: number;
  readonly isOpen: boolean;
} {
  const bracket = /^["'\s]*[([{]([^()[\]{}]*)[)\]}]/.exec(text);
  if (bracket) return { words: bracket[1] ?? '', length: bracket[0].length, isOpen: false };
  const words = text.split(SEPARATOR, 1)[0] ?? '';
  return { words, length: words.length, isOpen: words.length === text.length };
}

const SEPARATOR = /[.,;|()[\]{}\n]/;

/** The tokens of a prepaid meter, under their names in `Goods`. */
type MeterGoods = {
  readonly token: string;
  readonly bonus_token?: string;
  readonly kct1?: string;
  readonly kct2?: string;
};

/**
 * Reads a text that has all tokens of a meter. Some companies write two in one text: the second is
 * the bonus. Of three, two may be key change tokens, so there are no goods.
 */
export function meterGoods(value: unknown): MeterGoods | undefined {
  const { recharge, keyChange } = meterTokens(value);
  const [token, bonus_token, ...more] = new Set(recharge);
  const [kct1, kct2] = keyChange;
  if (token === undefined || more.length > 0) return undefined;
  return { token, ...(bonus_token && { bonus_token }), ...(kct1 && { kct1 }), ...(kct2 && { kct2 }) };
}

/** Returns `Token` of `No KCT needed. Token: `. Undefined when there are no letters. */
function lastClause(text: string): string | undefined {
  return text.split(SEPARATOR).findLast((clause) => /\p{L}/u.test(clause));
}

/** Reads the number in `79.9 kWh`, `"1,079.9"` or `.70` as text. Refuses `79,9` and `1.079,9`. */
export function unitCount(value: unknown): string | undefined {
  const number = /(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?!\d|[.,]\d|e\d)/gi;
  const found = [...(word(value) ?? '').matchAll(number)].find(([text]) => text !== '')?.[0];
  return found?.replaceAll(',', '').replace(/^\./, '0.');
}

/**
 * Creates a look-up of fields that ignores letter case, underscores and spaces:
 * `find('Meter_Number')` also finds `MeterNumber`. It returns the first name with a value. Null,
 * blank text, `"null"` and `"N/A"` are not values.
 */
export function fieldFinder(body: Body): (...names: readonly string[]) => unknown {
  const values = new Map<string, unknown>();
  for (const [name, value] of Object.entries(body)) {
    const key = plainName(name);
    if (hasValue(value) && !values.has(key)) values.set(key, value);
  }
  return (...names) => {
    for (const name of names) {
      const value = values.get(plainName(name));
      if (value !== undefined) return value;
    }
    return undefined;
  };
}

function plainName(name: string): string {
  return name.replace(/[^0-9A-Za-z]/g, '').toLowerCase();
}

const NOTHING = /^\s*(?:null|n\/a)?\s*$/i;

function hasValue(value: unknown): boolean {
  return value !== null && value !== undefined && !(typeof value === 'string' && NOTHING.test(value));
}

/** Compares a signature with the expected one, in constant time. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
