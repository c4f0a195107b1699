/** The funding account that a merchant sees. */

import { GatewayError } from '../core/errors.ts';
import type { Currency } from '../core/money.ts';
import type { Sql } from '../db/database.ts';
import type { Principal } from '../merchants/merchant.ts';
import { convenienceFee } from './credit-deposit.ts';
import { type FundingAccountRow, findFundingAccount } from './funding-account-store.ts';
import { isFundingEnabled } from './identity-store.ts';

export type FundingAccount = {
  readonly currency: Currency;
  readonly status: 'active' | 'pending';
  /** Undefined until the bank has opened it. */
  readonly account: { readonly number: string; readonly name: string; readonly bankName: string } | undefined;
  readonly documentUploaded: boolean;
  /** The fee of each deposit, in minor units. */
  readonly convenienceFee: bigint;
};

export function toFundingAccount(row: FundingAccountRow): FundingAccount {
  const { account_number: number, account_name: name, bank_name: bankName } = row;
  const known = row.status === 'active' && number !== null && name !== null && bankName !== null;
  return {
    currency: row.currency,
    status: row.status === 'active' ? 'active' : 'pending',
    account: known ? { number, name, bankName } : undefined,
    documentUploaded: row.has_document,
    convenienceFee: convenienceFee(row.currency),
  };
}

/** The reason when the bank gave none. */
export const bankRefused = 'the bank refused';

/**
 * Finds the merchant's account. Throws GatewayError: `funding_not_enabled`, `no_funding_account`,
 * `funding_account_refused`.
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
