/** A funding account as a merchant sees it. */
import type { Currency } from '../kernel/money.ts';
import { convenienceFee } from './deposit-fee.ts';
import type { FundingAccountRow } from './funding-account-store.ts';

export type FundingAccount = {
  readonly currency: Currency;
  readonly status: 'active' | 'pending';
  /** Undefined while the bank has not said. */
  readonly account: { readonly number: string; readonly name: string; readonly bankName: string } | undefined;
  readonly documentUploaded: boolean;
  /** In minor units, of each deposit. */
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
