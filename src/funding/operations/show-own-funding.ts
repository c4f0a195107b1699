/** Shows a merchant the accounts that it pays into, without our references and the bank's ids. */
import { Type } from 'typebox';
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
import { listFundingAccounts } from '../funding-account-store.ts';
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
      const opened = row === undefined || row.status === 'refused' ? undefined : toFundingAccount(row);
      return {
        environment,
        currency,
        status: opened?.status ?? (row === undefined ? ('none' as const) : ('refused' as const)),
        account_number: opened?.account?.number,
        account_name: opened?.account?.name,
        bank_name: opened?.account?.bankName,
        refusal: row?.status === 'refused' ? (row.refusal ?? bankRefused) : null,
        document_uploaded: row?.has_document ?? false,
        fee: convenienceFee(currency),
      };
    });
    return { accounts };
  },
});
