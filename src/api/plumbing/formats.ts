/**
 * The `format`s of the API's schemas. Each calls a rule of the core, so the schemas validate
 * exactly what the core accepts and no pattern is written twice. The routes look up values that
 * depend on the catalog, such as the networks of bills.
 */
import { parseDay } from '../../core/clock.ts';
import { isEmail } from '../../core/email.ts';
import { formatAmount, parseAmount } from '../../core/money.ts';
import { airtime } from '../../core/products/airtime.ts';
import { isPhoneNumber, parseMobileNumber } from '../../core/products/mobile-number.ts';
import { mobileNetworks, parseMobileNetwork } from '../../core/products/network.ts';
import { isBillProduct, parseProduct } from '../../core/products/product.ts';

type Rule = (text: string) => boolean;

// C0 and C1 control characters and DEL, anywhere; white space at either end.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNCLEAN = /[\u0000-\u001f\u007f-\u009f]|^\s|\s$/;

/**
 * Well-formed Unicode without control characters or surrounding white space, which can be stored,
 * compared and printed.
 */
function isCleanText(text: string): boolean {
  return !UNCLEAN.test(text) && text.isWellFormed();
}

function isAirtimeAmount(text: string): boolean {
  const amount = parseAmount(text);
  return amount !== undefined && amount >= airtime.amounts.min && amount <= airtime.amounts.max;
}

export const formats = {
  'clean-text': isCleanText,
  'naira-amount': (text) => parseAmount(text) !== undefined,
  'airtime-amount': isAirtimeAmount,
  'mobile-number': (text) => parseMobileNumber(text) !== undefined,
  'mobile-network': (text) => parseMobileNetwork(text) !== undefined,
  'phone-number': isPhoneNumber,
  'e-mail': isEmail,
  day: (text) => parseDay(text) !== undefined,
  bvn: (text) => /^[0-9]{11}$/.test(text),
  'bill-product': (text) => isBillProduct(parseProduct(text) ?? ''),
} as const satisfies Readonly<Record<string, Rule>>;

export type Format = keyof typeof formats;

/** For texts that describe a valid value. */
export const mobileNetworkList = mobileNetworks.map((network) => network.toLowerCase()).join(', ');

export const airtimeRange = `"${formatAmount(airtime.amounts.min)}" to "${formatAmount(airtime.amounts.max)}"`;
