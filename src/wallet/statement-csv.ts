/**
 * A statement as CSV (RFC 4180): a line for the opening balance, one for each line of the
 * statement, one for the closing balance.
 */

import { stringify } from 'csv-stringify/sync';
import type { Queries, Sql } from '../db/database.ts';
import { type Clock, formatRfc3339 } from '../kernel/clock.ts';
import { quoting, safeCell } from '../kernel/csv-cell.ts';
import { GatewayError } from '../kernel/errors.ts';
import { type Currency, formatAmount } from '../kernel/money.ts';
import type { Principal } from '../merchants/merchant.ts';
import { type StatementItem, statementItem } from './operations/show-statement.ts';
import {
  eachLine,
  openStatement,
  type Period,
  readStatementPage,
  type Statement,
  type StatementCursor,
  type StatementPage,
} from './statement.ts';
import type { StatedWallet } from './statement-store.ts';

type Columns = readonly (keyof StatementItem)[];

/** What a merchant reads of its own wallet. */
const merchantColumns: Columns = ['time', 'type', 'reference', 'internal_reference', 'amount', 'balance'];

/** What the house reads. */
export const houseColumns: Columns = [...merchantColumns, 'product', 'network', 'recipient', 'memo'];

/** A merchant's own, in pieces, so that a long one is never held whole. */
async function* statementCsv(sql: Sql, statement: Statement, period: Period): AsyncGenerator<string> {
  const { opening, closing } = statement;
  yield csvHead(merchantColumns, formatRfc3339(period.from), formatAmount(opening));
  for await (const lines of eachLine(sql, statement))
    yield csvItems(merchantColumns, lines.map(statementItem));
  yield csvEnd(merchantColumns, formatRfc3339(period.to), formatAmount(closing));
}

/** The names of the columns, and the opening balance. */
export function csvHead(columns: Columns, time: string, balance: string): string {
  return rows([...columns], balanceRow(columns, time, 'opening', balance));
}

export function csvItems(columns: Columns, items: readonly StatementItem[]): string {
  return rows(...items.map((item) => columns.map((column) => item[column] ?? '')));
}

/** The closing balance. */
export function csvEnd(columns: Columns, time: string, balance: string): string {
  return rows(balanceRow(columns, time, 'closing', balance));
}

function balanceRow(columns: Columns, time: string, type: string, balance: string): string[] {
  const known: Readonly<Record<string, string>> = { time, type, balance };
  return columns.map((column) => known[column] ?? '');
}

function rows(...records: readonly (readonly string[])[]): string {
  return stringify([...records.map((record) => record.map(safeCell))], {
    ...quoting,
    record_delimiter: 'windows',
  });
}

/** Throws GatewayError: `no_wallet`, `cursor_of_other_statement`. */
export async function statementPage(
  database: Queries,
  principal: Principal,
  currency: Currency,
  period: Period,
  page: { readonly cursor: StatementCursor | undefined; readonly limit: number },
  clock: Clock,
): Promise<StatementPage> {
  const wallet = walletOf(principal, currency);
  const read = await readStatementPage(database, wallet, period, page, clock.now());
  if (read === undefined) {
    throw new GatewayError({ code: 'cursor_of_other_statement' });
  }
  return read;
}

/** All of it as CSV, in pieces. Throws GatewayError `no_wallet` before the first. */
export async function statementFile(
  database: Queries,
  principal: Principal,
  currency: Currency,
  period: Period,
  clock: Clock,
): Promise<AsyncIterable<string>> {
  const statement = await openStatement(database, walletOf(principal, currency), period, clock.now());
  return statementCsv(database, statement, period);
}

function walletOf({ merchant, environment }: Principal, currency: Currency): StatedWallet {
  const accountId = merchant.wallets.get(currency);
  if (accountId === undefined) throw new GatewayError({ code: 'no_wallet', currency });
  return { accountId, merchantId: merchant.id, environment };
}
