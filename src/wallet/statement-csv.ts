/**
 * A statement as CSV (RFC 4180): a line for the opening balance, one for each line of the
 * statement, one for the closing balance.
 */
import { stringify } from 'csv-stringify/sync';
import type { Sql } from '../db/database.ts';
import { formatRfc3339 } from '../kernel/clock.ts';
import { formatAmount } from '../kernel/money.ts';
import { eachLine, type Period, type Statement, type StatementLine } from './statement.ts';

const columns = ['time', 'type', 'reference', 'internal_reference', 'amount', 'balance'];

/** In pieces, so that a long one is never held whole. */
export async function* statementCsv(sql: Sql, statement: Statement, period: Period): AsyncGenerator<string> {
  const { opening, closing } = statement;
  yield rows(columns, [formatRfc3339(period.from), 'opening', '', '', '', formatAmount(opening)]);
  for await (const lines of eachLine(sql, statement)) yield rows(...lines.map(toRow));
  yield rows([formatRfc3339(period.to), 'closing', '', '', '', formatAmount(closing)]);
}

function toRow({ at, kind, reference, subjectId, amount, balance }: StatementLine): string[] {
  return [
    formatRfc3339(at),
    kind,
    plainText(reference),
    subjectId,
    formatAmount(amount),
    formatAmount(balance),
  ];
}

function rows(...records: readonly (readonly string[])[]): string {
  return stringify([...records.map((record) => [...record])], { record_delimiter: 'windows' });
}

/** A merchant chose the reference; a spreadsheet must not take it for a formula. */
function plainText(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
