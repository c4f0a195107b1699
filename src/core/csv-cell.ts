/**
 * Cells of exported files. Merchants, customers and providers wrote many of them, and a spreadsheet
 * carries out what begins as a formula does.
 */

/**
 * The text as a cell that is no formula. An amount below zero stays a number, so that a column adds
 * up. A plus is never of an amount: `+2348012345678` would become 2.34801E+12.
 *
 * Spreadsheets of other countries split a line at another separator than the comma. So what comes
 * after any of them is no formula either.
 */
export function safeCell(text: string): string {
  const inside = text.replace(formulaInside, "$1'$2");
  return startOfFormula.test(inside) && !amountBelowZero.test(inside) ? `'${inside}` : inside;
}

/** What has to stand in quotes, whichever the separator. */
export const toBeQuoted = /[",;|\t\r\n]/;

/** As options of `csv-stringify`. */
export const quoting = { quoted_match: toBeQuoted } as const;

/** The last four are wide forms of the first: some spreadsheets take them for the same. */
const startOfFormula = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const formulaInside = /([,;|\t\r\n][ "]*)([=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const amountBelowZero = /^-[0-9]+(?:\.[0-9]+)?$/;
