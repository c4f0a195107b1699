/**
 * Exported CSV (RFC 4180). Merchants, customers and providers write many of the texts, and a
 * spreadsheet executes a text that begins like a formula.
 */
import { stringify } from 'csv-stringify/sync';

/** Returns a line for each row. Every cell is safe; an object is JSON, a missing value empty. */
export function csvLines(rows: readonly (readonly unknown[])[]): string {
  return stringify(
    rows.map((row) => row.map((value) => safeCell(cellText(value)))),
    // Quotes a cell whichever separator the reader uses.
    { quoted_match: /[",;|\t\r\n]/, record_delimiter: 'windows' },
  );
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

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

/**
 * The last four are full-width forms that some spreadsheets treat as the ASCII ones. Some remove
 * blanks before a formula.
 */
const startOfFormula = /^(?:[\t\r]|[\p{Zs}"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u;
const formulaInside = /([,;|\t\r\n][\p{Zs}"]*)([=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;
const amountBelowZero = /^-[0-9]+(?:\.[0-9]+)?$/;
