/** Undoes what a spreadsheet does to text that looks like a number. Pure. */

export type SpreadsheetText =
  | { readonly kind: 'text'; readonly text: string }
  /** Digits are gone: `8031234561` was written as `8.03123E+09`. */
  | { readonly kind: 'cut' };

/** With either decimal sign: that of the spreadsheet may not be that of the file. */
const EXPONENT = /^(?<first>\d)(?:[.,](?<rest>\d+))?E\+?(?<exponent>\d{1,3})$/i;
const WHOLE = /^(?<digits>\d{5,}|\d{1,3}(?:(?<sign>[., ])\d{3})(?:\k<sign>\d{3})*)[.,]0+$/;

/** Without the decimals and the exponent that a spreadsheet adds to a long number. */
export function readSpreadsheetText(text: string): SpreadsheetText {
  const { first, rest = '', exponent } = EXPONENT.exec(text)?.groups ?? {};
  if (first !== undefined) {
    return Number(exponent) === rest.length && rest !== ''
      ? { kind: 'text', text: `${first}${rest}` }
      : { kind: 'cut' };
  }
  const digits = WHOLE.exec(text)?.groups?.digits;
  return { kind: 'text', text: digits === undefined ? text : digits.replace(/\D/g, '') };
}
