/** Finds the funding account of a merchant and currency, for the merchant itself. */
import type { Sql } from '../db/database.ts';
import { GatewayError } from '../kernel/errors.ts';
import type { Currency } from '../kernel/money.ts';
import type { Principal } from '../merchants/merchant.ts';
import { type FundingAccount, toFundingAccount } from './funding-account.ts';
import { findFundingAccount } from './funding-account-store.ts';
import { isFundingEnabled } from './identity-store.ts';

/** Where the bank gave no reason. */
export const bankRefused = 'the bank refused';

/**
 * Throws GatewayError: `funding_not_enabled`, `no_funding_account`, `funding_account_refused`.
 */
export async function findOwnFundingAccount(
  sql: Sql,
  { merchant, environment }: Principal,
  currency: Currency,
): Promise<FundingAccount> {
  const key = { merchantId: merchant.id, environment, currency };
  if (!(await isFundingEnabled(sql, key, currency))) throw notEnabled(currency);
  const row = await findFundingAccount(sql, key);
  if (row === undefined) throw new GatewayError({ code: 'no_funding_account', currency });
  if (row.status === 'refused') {
    const reason = row.refusal ?? bankRefused;
    throw new GatewayError({ code: 'funding_account_refused', currency, reason });
  }
  return toFundingAccount(row);
}

export function notEnabled(currency: Currency): GatewayError {
  return new GatewayError({ code: 'funding_not_enabled', currency });
}
