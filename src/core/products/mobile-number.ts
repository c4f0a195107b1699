/**
 * Nigerian mobile numbers: every accepted spelling becomes one normalised form, so that two
 * spellings of a number compare equal. It does not identify the network: numbers are portable, so a
 * prefix never decides the network.
 */

// 0803…, 234803…, +234803…, and the frequent mistake of keeping the 0 after the country code. No
// other format: separators are refused, because a stray character more often means a wrong number
// than a formatted one.
const SPELLING = /^(?:0|\+?2340?)([0-9]{10})$/;

// Mobile ranges begin with 70, 71, 80, 81, 90 or 91. Within them, 700 is for universal access
// numbers and 800 for toll-free numbers, which cannot be recharged. Any other range is accepted,
// whether or not an operator is known to use it.
const MOBILE = /^(?!700|800)[789][01][0-9]{8}$/;

// 0800 000 0000 to 0800 000 0999 are accepted as well. The test numbers are among them: numbers in
// the toll-free range never belong to a phone.
const TEST_BLOCK = /^8000000[0-9]{3}$/;

/**
 * `2348031234567` from any accepted spelling of a mobile number, or undefined when `text` is not
 * one.
 */
export function parseMobileNumber(text: string): string | undefined {
  const national = SPELLING.exec(text)?.[1];
  if (national === undefined) return undefined;
  return MOBILE.test(national) || TEST_BLOCK.test(national) ? `234${national}` : undefined;
}

/** Drops the decimals that a spreadsheet adds to a number: `8031234567.0`. */
export function withoutDecimals(text: string): string {
  return text.replace(/^(\+?[0-9]{10,13})\.0+$/, '$1');
}

/**
 * Adds the zero that a spreadsheet drops: `08031234567` of `8031234567`. Returns any other text as
 * it is. Only for searches, because a customer of a bill may have such a number.
 */
export function withLostZero(text: string): string {
  return /^[0-9]{10}$/.test(text) && parseMobileNumber(`0${text}`) !== undefined ? `0${text}` : text;
}

/** Whether it can be called: a Nigerian mobile number, or one of `+`, country code and number. */
export function isPhoneNumber(text: string): boolean {
  return parseMobileNumber(text) !== undefined || /^\+[1-9][0-9]{6,14}$/.test(text);
}

/** Writes `2348031234567` as `08031234567`. Returns any other text as it is. */
export function localForm(number: string): string {
  return /^234\d{10}$/.test(number) ? `0${number.slice(3)}` : number;
}
