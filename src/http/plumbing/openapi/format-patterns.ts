/**
 * The formats of the schemas as patterns, for whoever reads the document: a foreign validator does
 * not know our formats. A pattern accepts all that its format accepts. It may accept more, where
 * the rule is no matter of characters: 30 February, or an amount above the bound.
 *
 * They are written in what the common dialects share: no look-ahead, no named classes.
 */
import { mobileNetworkSpellings, mobileNetworks } from '../../../products/network.ts';
import { billProducts } from '../../../products/product.ts';
import { anyCasePattern } from '../any-case.ts';
import type { Format } from '../formats.ts';

// C0 and C1 control characters and DEL.
const control = '\\x00-\\x1f\\x7f-\\x9f';

const amount = '(?:0\\.(?:0[1-9]|[1-9][0-9]?)|[1-9][0-9]{0,9}(?:\\.[0-9]{1,2})?)';

const mobileNumber = '(?:0|\\+?2340?)(?:(?:[78](?:0[1-9]|1[0-9])|9[01][0-9])[0-9]{7}|8000000[0-9]{3})';

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

export const formatPatterns: Readonly<Record<Format, string>> = {
  'clean-text': `^(?:[^\\s${control}](?:[^${control}]*[^\\s${control}])?)?$`,
  'naira-amount': `^${amount}$`,
  'airtime-amount': `^${amount}$`,
  'mobile-number': `^${mobileNumber}$`,
  'mobile-network': anyCasePattern(mobileNetworkSpellings),
  'phone-number': `^(?:${mobileNumber}|\\+[1-9][0-9]{6,14})$`,
  'e-mail': `^${atom}(?:\\.${atom})*@(?:${label}\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$`,
  day: '^[12][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$',
  bvn: '^[0-9]{11}$',
  'bill-product': anyCasePattern(billProducts),
};

/** The formats that are lists of words, in the spelling of the interface. */
export const formatWords: Readonly<Partial<Record<Format, readonly string[]>>> = {
  'mobile-network': mobileNetworks.map((network) => network.toLowerCase()),
  'bill-product': billProducts.map((product) => product.toLowerCase()),
};
