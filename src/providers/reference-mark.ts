/**
 * Encodes the purchase in our references at providers: its merchant, a mark of the merchant's own
 * reference, and a trace of what was bought. A restored database lacks the purchases since its
 * backup. It recognises such a purchase by the mark, in the provider's list and when the merchant
 * queries it. The trace identifies the network and the plan when the list does not name them.
 *
 * Guarantees: a purchase always has the same mark, in every process and attempt. References are
 * unique; those of two attempts of one purchase differ in 34 random bits. Marks are keyed with the
 * installation's secret, so marks of another Oja at the same account are not read.
 *
 * A foreign reference in one of the two forms is read as a mark once in 256. Its merchant number is
 * then any of 2^20, so with 1,000 merchants it is one of theirs once in 268,000. A reference in any
 * other form, such as a UUID of another version, is never read as a mark.
 */
import { getRandomValues, hash, type KeyObject, randomBytes } from 'node:crypto';
import type { Environment } from '../core/environment.ts';

/** The purchase that a reference is made for. */
export type Marked = {
  readonly environment: Environment;
  readonly merchantId: number;
  /** The merchant's own reference. */
  readonly reference: string;
};

/** The purchased item: everything that identifies the plan. */
export type Bought = {
  readonly product: string;
  readonly network: string;
  /** The plan's codes at the provider; absent when no plan is bought. */
  readonly codes?: Readonly<Record<string, string>> | undefined;
};

/** The contents of a reference. */
export type ReadMark = { readonly merchantId: number; readonly mark: string; readonly trace: number };

// A marked number has 122 bits, the free bits of a UUID: the merchant, masked by a keyed hash of
// the other parts; mark, trace and randomness; and the keyed check of all of them.
const MERCHANT_BITS = 20n;
const MARK_BITS = 48n;
const TRACE_BITS = 12n;
const RANDOM_BITS = 34n;
const CHECK_BITS = 8n;
const BODY_BITS = MARK_BITS + TRACE_BITS + RANDOM_BITS;
const NUMBER_BITS = MERCHANT_BITS + BODY_BITS + CHECK_BITS;
/** The largest merchant id that fits. References of higher ids have no mark: they hold 0. */
const MERCHANT_MAX = 2 ** Number(MERCHANT_BITS) - 1;

/**
 * The key of the installation. Until it is set, marks of this process belong to no installation.
 */
let key = randomBytes(32).toString('hex');

/** Sets the installation's secret, which is used to make and read marks from then on. */
export function keyMarks(secret: KeyObject): void {
  key = hash('sha256', `oja marks:${secret.export().toString('hex')}`, 'hex');
}

/** Hashes text with the key. Truncating the hash prevents length extension. */
function keyedHash(text: string, hexDigits: number): string {
  return hash('sha256', `${key}:${text}`, 'hex').slice(0, hexDigits);
}

/** Returns the mark of a purchase: 12 hex digits. */
export function markOf({ environment, merchantId, reference }: Marked): string {
  return keyedHash(`oja:${environment}:${merchantId}:${reference}`, 12);
}

function maskOf(body: bigint): bigint {
  return BigInt(`0x${keyedHash(`mask:${body}`, Number(MERCHANT_BITS) / 4)}`);
}

function checkOf(merchant: bigint, body: bigint): bigint {
  return BigInt(`0x${keyedHash(`check:${merchant}:${body}`, Number(CHECK_BITS) / 4)}`);
}

/**
 * Returns the trace of the purchased item: one of 4,096 values (FNV-1a). It distinguishes the few
 * plans that are otherwise alike.
 */
export function traceOf({ product, network, codes = {} }: Bought): number {
  const names = Object.keys(codes).toSorted();
  let text = `${product}\n${network}`;
  for (const name of names) text += `\n${name}\n${codes[name]}`;
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return ((sum >>> 20) ^ (sum >>> 8) ^ sum) & 0xfff;
}

/** Random numbers, drawn in blocks because a draw costs more than a number. */
const random = new BigUint64Array(512);
let used = random.length;

function nextRandom(): bigint {
  if (used === random.length) {
    getRandomValues(random);
    used = 0;
  }
  const value = random[used] ?? 0n;
  used += 1;
  return value & ((1n << RANDOM_BITS) - 1n);
}

/** Makes a number below 2^122 for an attempt of the purchase. */
function mintNumber(purchase: Marked, bought: Bought): bigint {
  const merchant = purchase.merchantId <= MERCHANT_MAX ? BigInt(purchase.merchantId) : 0n;
  const said = (BigInt(`0x${markOf(purchase)}`) << TRACE_BITS) | BigInt(traceOf(bought));
  const body = (said << RANDOM_BITS) | nextRandom();
  const masked = ((merchant ^ maskOf(body)) << BODY_BITS) | body;
  return (masked << CHECK_BITS) | checkOf(merchant, body);
}

function readNumber(number: bigint): ReadMark | undefined {
  if (number >> NUMBER_BITS !== 0n) return undefined;
  const masked = number >> CHECK_BITS;
  const body = masked & ((1n << BODY_BITS) - 1n);
  const merchant = (masked >> BODY_BITS) ^ maskOf(body);
  if (checkOf(merchant, body) !== (number & ((1n << CHECK_BITS) - 1n))) return undefined;
  const said = body >> RANDOM_BITS;
  const trace = Number(said & ((1n << TRACE_BITS) - 1n));
  const mark = (said >> TRACE_BITS).toString(16).padStart(12, '0');
  const merchantId = Number(merchant);
  return merchantId === 0 ? undefined : { merchantId, mark, trace };
}

/** Makes a reference as a UUID of version 8 (RFC 9562), whose other bits are free. */
export function mintUuid(purchase: Marked, bought: Bought): string {
  const number = mintNumber(purchase, bought);
  const high = (number >> 74n).toString(16).padStart(12, '0');
  const middle = ((number >> 62n) & 0xfffn).toString(16).padStart(3, '0');
  const low = ((number & ((1n << 62n) - 1n)) | (1n << 63n)).toString(16);
  return `${high.slice(0, 8)}-${high.slice(8)}-8${middle}-${low.slice(0, 4)}-${low.slice(4)}`;
}

/** Makes a reference as 24 digits to the base 36, which hold 124 bits. */
export function mintDigits(purchase: Marked, bought: Bought): string {
  return mintNumber(purchase, bought).toString(36).padStart(24, '0');
}

const UUID_AT_END = /([0-9a-f]{8})-?([0-9a-f]{4})-?8([0-9a-f]{3})-?([89ab][0-9a-f]{3})-?([0-9a-f]{12})$/i;
/** A minute as digits, and 24 digits to the base 36. */
const DIGITS = /^20\d{10}([0-9a-z]{24})$/i;

/** Reads a reference in either form. Undefined when it is random or foreign. */
export function readMark(reference: string): ReadMark | undefined {
  const digits = DIGITS.exec(reference)?.[1];
  if (digits !== undefined) return readNumber(fromDigits(digits.toLowerCase()));
  const parts = UUID_AT_END.exec(reference);
  if (parts === null) return undefined;
  const [, time = '', version = '', custom = '', variant = '', node = ''] = parts;
  const low = BigInt(`0x${variant}${node}`) & ((1n << 62n) - 1n);
  return readNumber((BigInt(`0x${time}${version}${custom}`) << 62n) | low);
}

function fromDigits(digits: string): bigint {
  let number = 0n;
  for (const digit of digits) number = number * 36n + BigInt(Number.parseInt(digit, 36));
  return number;
}
