/**
 * Cells of exported files. Merchants, customers and providers wrote many of them, and a spreadsheet
 * carries out what begins as a formula does.
 */

/**
 * The text as a cell that is no formula. An amount below zero stays a number, so that a column adds
 * up. A plus is never of an amount: `+2348012345678` would become 2.34801E+12.
 */
export function safeCell(text: string): string {
  return startOfFormula.test(text) && !amountBelowZero.test(text) ? `'${text}` : text;
}

/** The last four are wide forms of the first: some spreadsheets take them for the same. */
const startOfFormula = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const amountBelowZero = /^-[0-9]+(?:\.[0-9]+)?$/;
