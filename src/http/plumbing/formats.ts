// The `format`s of the wire schemas: each is a rule of the core asked whether a text obeys it, so that the schemas
// validate exactly what the core accepts and no pattern is written twice. What depends on the catalog, such as the
// networks of bills, is no format: the routes look it up.
import { formatAmount, parseAmount } from '../../kernel/money.ts';
import { airtime } from '../../products/airtime.ts';
import { parseMobileNumber } from '../../products/mobile-number.ts';
import { mobileNetworks, parseMobileNetwork } from '../../products/network.ts';
import { isBillProduct, parseProduct } from '../../products/product.ts';

type Rule = (text: string) => boolean;

// C0 and C1 control characters and DEL, anywhere; white space at either end.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNCLEAN = /[\u0000-\u001f\u007f-\u009f]|^\s|\s$/;

/** Well-formed Unicode without control characters or white space around it: storable, comparable, printable. */
function isCleanText(text: string): boolean {
  return !UNCLEAN.test(text) && text.isWellFormed();
}

function isAirtimeAmount(text: string): boolean {
  const amount = parseAmount(text);
  return amount !== undefined && amount >= airtime.amounts.min && amount <= airtime.amounts.max;
}

const DAY_MS = 86_400_000;

/** A day of the calendar as `YYYY-MM-DD`; years of four digits. */
function isDay(text: string): boolean {
  if (!/^[12][0-9]{3}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return time % DAY_MS === 0 && new Date(time).toISOString().startsWith(text);
}

// One @, a name before it and a domain with a dot after it, nothing that would need quoting.
const EMAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}$/;

export const formats = {
  'clean-text': isCleanText,
  'naira-amount': (text) => parseAmount(text) !== undefined,
  'airtime-amount': isAirtimeAmount,
  'mobile-number': (text) => parseMobileNumber(text) !== undefined,
  'mobile-network': (text) => parseMobileNetwork(text) !== undefined,
  'phone-number': (text) => parseMobileNumber(text) !== undefined || /^\+[1-9][0-9]{6,14}$/.test(text),
  'e-mail': (text) => EMAIL.test(text),
  day: isDay,
  bvn: (text) => /^[0-9]{11}$/.test(text),
  'bill-product': (text) => isBillProduct(parseProduct(text) ?? ''),
} as const satisfies Readonly<Record<string, Rule>>;

export type Format = keyof typeof formats;

/** For the texts that say what would be right. */
export const mobileNetworkList = mobileNetworks.map((network) => network.toLowerCase()).join(', ');

export const airtimeRange = `"${formatAmount(airtime.amounts.min)}" to "${formatAmount(airtime.amounts.max)}"`;
