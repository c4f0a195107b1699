/**
 * Cells of exported CSV files. Merchants, customers and providers write many of the texts, and a
 * spreadsheet executes a text that begins like a formula.
 */

/**
 * Returns the text as a cell that spreadsheets do not treat as a formula. A negative amount stays a
 * number, so that a column adds up. A leading plus is escaped: `+2348012345678` would become
 * 2.34801E+12. Text after any common separator is escaped too, because spreadsheets of other
 * countries do not split at the comma.
 */
export function safeCell(text: string): string {
  const inside = text.replace(formulaInside, "$1'$2");
  return startOfFormula.test(inside) && !amountBelowZero.test(inside) ? `'${inside}` : inside;
}

/** Text that needs quotes, whichever separator the reader uses. */
export const toBeQuoted = /[",;|\t\r\n]/;

/** The same as options of `csv-stringify`. */
export const quoting = { quoted_match: toBeQuoted } as const;

/**
 * The last four are full-width forms that some spreadsheets treat as the ASCII ones. Some remove
 * blanks before a formula.
 */
const startOfFormula = /^(?:[\t\r]|[\p{Zs}"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u;
const formulaInside = /([,;|\t\r\n][\p{Zs}"]*)([=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;
const amountBelowZero = /^-[0-9]+(?:\.[0-9]+)?$/;
