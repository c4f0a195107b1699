import type { Sql } from '../db/database.ts';
import { GatewayError } from '../kernel/errors.ts';
import type { Currency } from '../kernel/money.ts';
import type { Principal } from '../merchants/merchant.ts';
import { type FundingAccount, toFundingAccount } from './funding-account.ts';
import { findFundingAccount } from './funding-account-store.ts';
import { isFundingEnabled } from './identity-store.ts';

/**
 * Throws GatewayError: `forbidden` where the currency is not enabled, `not_found` where there is no
 * account.
 */
export async function findOwnFundingAccount(
  sql: Sql,
  { merchant, environment }: Principal,
  currency: Currency,
): Promise<FundingAccount> {
  const key = { merchantId: merchant.id, environment, currency };
  if (!(await isFundingEnabled(sql, key, currency))) throw notEnabled(currency);
  const row = await findFundingAccount(sql, key);
  if (row === undefined)
    throw new GatewayError('not_found', `No ${currency} funding account: create it first`);
  if (row.status === 'refused') {
    throw new GatewayError(
      'not_found',
      `No ${currency} funding account: ${row.refusal ?? 'the bank refused'}`,
    );
  }
  return toFundingAccount(row);
}

export function notEnabled(currency: Currency): GatewayError {
  return new GatewayError('forbidden', `Bank funding is not enabled for the ${currency} wallet`);
}
