/** Shows a merchant the accounts that it pays into, without our references and the bank's ids. */
import { type Static, Type } from 'typebox';
import { formatAmount } from '../../core/money.ts';
import { nullableText } from '../../core/nullable.ts';
import { defineOperation, roles } from '../../core/operation.ts';
import {
  amountOutput,
  currencyField,
  environmentField,
  inputOf,
  merchantField,
  oneOf,
} from '../../core/operation-fields.ts';
import { findByCode } from '../../merchants/require-merchant.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import { convenienceFee } from '../credit-deposit.ts';
import { bankRefused, toFundingAccount } from '../funding-account.ts';
import { type FundingAccountRow, listFundingAccounts } from '../funding-account-store.ts';
import { listFundingCurrencies } from '../identity-store.ts';

const accountOutput = Type.Object({
  environment: environmentField,
  currency: currencyField,
  /** `none`: the merchant has not requested an account over the API yet. */
  status: oneOf(['none', 'pending', 'active', 'refused']),
  account_number: nullableText,
  account_name: nullableText,
  bank_name: nullableText,
  /** Why the bank refused it. */
  refusal: nullableText,
  document_uploaded: Type.Boolean(),
  /** The fee of each deposit. */
  fee: amountOutput,
});

export const showOwnFundingOperation = defineOperation({
  name: 'funding.account',
  kind: 'question',
  summary: 'show the bank accounts that a merchant pays into to top up, as the merchant sees them',
  roles,
  portal: { roles: ['viewer', 'finance'] },
  route: 'GET /merchants/{merchant}/funding/accounts',
  document: 'operators/merchants.md',
  input: inputOf({ merchant: merchantField }),
  output: Type.Object({ accounts: Type.Array(accountOutput) }),
  run: async ({ sql }: Asking, { merchant: code }) => {
    const { id } = await findByCode(sql, code);
    const rows = await listFundingAccounts(sql, id);
    // Hide accounts in currencies that are not enabled.
    const enabled = await listFundingCurrencies(sql, id);
    const accounts = enabled.map(({ environment, currency }) => {
      const row = rows.find((one) => one.environment === environment && one.currency === currency);
      return { environment, currency, ...accountAnswer(row), fee: formatAmount(convenienceFee(currency)) };
    });
    return { accounts };
  },
});

function accountAnswer(
  row: FundingAccountRow | undefined,
): Omit<Static<typeof accountOutput>, 'environment' | 'currency' | 'fee'> {
  if (row === undefined || row.status === 'refused') {
    return {
      status: row === undefined ? 'none' : 'refused',
      account_number: null,
      account_name: null,
      bank_name: null,
      refusal: row === undefined ? null : (row.refusal ?? bankRefused),
      document_uploaded: row?.has_document ?? false,
    };
  }
  const { status, account, documentUploaded } = toFundingAccount(row);
  return {
    status,
    account_number: account?.number ?? null,
    account_name: account?.name ?? null,
    bank_name: account?.bankName ?? null,
    refusal: null,
    document_uploaded: documentUploaded,
  };
}
