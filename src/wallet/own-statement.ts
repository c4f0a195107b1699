/** The statement of a caller's own wallet: of its environment, in one currency. */

import type { Queries } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { GatewayError } from '../kernel/errors.ts';
import type { Currency } from '../kernel/money.ts';
import type { Principal } from '../merchants/merchant.ts';
import {
  openStatement,
  type Period,
  readStatementPage,
  type StatementCursor,
  type StatementPage,
} from './statement.ts';
import { statementCsv } from './statement-csv.ts';
import type { StatedWallet } from './statement-store.ts';

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
