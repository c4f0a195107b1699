/**
 * A statement as CSV (RFC 4180): a line for the opening balance, one for each line of the
 * statement, one for the closing balance.
 */
import { stringify } from 'csv-stringify/sync';
import type { Sql } from '../db/database.ts';
import { formatRfc3339 } from '../kernel/clock.ts';
import { formatAmount } from '../kernel/money.ts';
import { eachLine, type Period, type Statement } from './statement.ts';
import { type StatementItem, statementItem } from './statement-item.ts';

const columns = [
  'time',
  'type',
  'reference',
  'internal_reference',
  'amount',
  'balance',
] as const satisfies readonly (keyof StatementItem)[];

/** In pieces, so that a long one is never held whole. */
export async function* statementCsv(sql: Sql, statement: Statement, period: Period): AsyncGenerator<string> {
  const { opening, closing } = statement;
  yield csvHead(formatRfc3339(period.from), formatAmount(opening));
  for await (const lines of eachLine(sql, statement)) yield csvItems(lines.map(statementItem));
  yield csvEnd(formatRfc3339(period.to), formatAmount(closing));
}

/** The names of the columns, and the opening balance. */
export function csvHead(time: string, balance: string): string {
  return rows([...columns], balanceRow(time, 'opening', balance));
}

export function csvItems(items: readonly StatementItem[]): string {
  return rows(
    ...items.map((item) => {
      const plain: StatementItem = { ...item, reference: plainText(item.reference) };
      return columns.map((column) => plain[column]);
    }),
  );
}

/** The closing balance. */
export function csvEnd(time: string, balance: string): string {
  return rows(balanceRow(time, 'closing', balance));
}

function balanceRow(time: string, type: string, balance: string): string[] {
  const known: Readonly<Record<string, string>> = { time, type, balance };
  return columns.map((column) => known[column] ?? '');
}

function rows(...records: readonly (readonly string[])[]): string {
  return stringify([...records.map((record) => [...record])], { record_delimiter: 'windows' });
}

/** A merchant chose the reference; a spreadsheet must not take it for a formula. */
function plainText(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
