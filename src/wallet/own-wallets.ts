/** The wallets of a caller in its environment, one per currency, as the caller reads them. */

import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { Currency } from '../core/money.ts';
import type { Queries } from '../db/database.ts';
import type { Principal } from '../merchants/merchant.ts';
import { type WalletBalance, walletBalance } from './balance.ts';
import {
  openStatement,
  type Period,
  readStatementPage,
  type StatementCursor,
  type StatementPage,
} from './statement.ts';
import { statementCsv } from './statement-csv.ts';
import type { StatedWallet } from './statement-store.ts';

export type OwnWallets = {
  /** Returns undefined if the caller has no wallet in the currency. */
  balance(principal: Principal, currency: Currency): Promise<WalletBalance | undefined>;
  /** Throws GatewayError: `no_wallet`, `cursor_of_other_statement`. */
  statement(
    principal: Principal,
    currency: Currency,
    period: Period,
    page: { readonly cursor: StatementCursor | undefined; readonly limit: number },
  ): Promise<StatementPage>;
  /** Returns the whole statement as CSV, in pieces. Throws GatewayError `no_wallet` first. */
  statementCsv(principal: Principal, currency: Currency, period: Period): Promise<AsyncIterable<string>>;
};

export function createOwnWallets(readsOf: (merchantId: number) => Queries, clock: Clock): OwnWallets {
  return {
    balance: async ({ merchant }, currency) => {
      const account = merchant.wallets.get(currency);
      return account === undefined ? undefined : await walletBalance(readsOf(merchant.id), account);
    },
    statement: async (principal, currency, period, page) => {
      const wallet = walletOf(principal, currency);
      const read = await readStatementPage(readsOf(wallet.merchantId), wallet, period, page, clock.now());
      if (read === undefined) throw new GatewayError({ code: 'cursor_of_other_statement' });
      return read;
    },
    statementCsv: async (principal, currency, period) => {
      const wallet = walletOf(principal, currency);
      const reads = readsOf(wallet.merchantId);
      return statementCsv(reads, await openStatement(reads, wallet, period, clock.now()), period);
    },
  };
}

function walletOf({ merchant, environment }: Principal, currency: Currency): StatedWallet {
  const accountId = merchant.wallets.get(currency);
  if (accountId === undefined) throw new GatewayError({ code: 'no_wallet', currency });
  return { accountId, merchantId: merchant.id, environment };
}
