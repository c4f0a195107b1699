/**
 * A statement as CSV (RFC 4180): a line for the opening balance, one for each line of the
 * statement, one for the closing balance.
 */

import { formatRfc3339 } from '../core/clock.ts';
import { csvLines } from '../core/csv-cell.ts';
import { formatAmount } from '../core/money.ts';
import type { Sql } from '../db/database.ts';
import { type StatementItem, statementItem } from './operations/show-statement.ts';
import { eachLine, type Period, type Statement } from './statement.ts';

type Columns = readonly (keyof StatementItem)[];

/** The columns for a merchant. */
const merchantColumns: Columns = ['time', 'type', 'reference', 'internal_reference', 'amount', 'balance'];

/** The columns for the house. */
export const houseColumns: Columns = [...merchantColumns, 'product', 'network', 'recipient', 'memo'];

/** Returns a merchant's statement in pieces, so that memory stays bounded. */
export async function* statementCsv(sql: Sql, statement: Statement, period: Period): AsyncGenerator<string> {
  const { opening, closing } = statement;
  yield csvHead(merchantColumns, formatRfc3339(period.from), formatAmount(opening));
  for await (const lines of eachLine(sql, statement))
    yield csvItems(merchantColumns, lines.map(statementItem));
  yield csvEnd(merchantColumns, formatRfc3339(period.to), formatAmount(closing));
}

/** Returns the header and the opening balance. */
export function csvHead(columns: Columns, time: string, balance: string): string {
  return csvLines([columns, balanceRow(columns, time, 'opening', balance)]);
}

export function csvItems(columns: Columns, items: readonly StatementItem[]): string {
  return csvLines(items.map((item) => columns.map((column) => item[column])));
}

/** Returns the closing balance. */
export function csvEnd(columns: Columns, time: string, balance: string): string {
  return csvLines([balanceRow(columns, time, 'closing', balance)]);
}

function balanceRow(columns: Columns, time: string, type: string, balance: string): string[] {
  const known: Readonly<Record<string, string>> = { time, type, balance };
  return columns.map((column) => known[column] ?? '');
}
