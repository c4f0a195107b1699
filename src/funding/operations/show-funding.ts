/**
 * Shows a merchant's funding accounts and the last two digits of its BVN, and no other identity.
 */
import { Type } from 'typebox';
import type { Environment } from '../../core/environment.ts';
import { nullableText } from '../../core/nullable.ts';
import { defineOperation, roles } from '../../core/operation.ts';
import {
  currencyField,
  environmentField,
  inputOf,
  merchantField,
  nullableTime,
  oneOf,
  timeOutput,
} from '../../core/operation-fields.ts';
import { findByCode } from '../../merchants/require-merchant.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import { listFundingAccounts } from '../funding-account-store.ts';
import { listFundingCurrencies, selectIdentity } from '../identity-store.ts';

const names = Type.Array(Type.String());

const accountOutput = Type.Object({
  environment: environmentField,
  currency: currencyField,
  status: oneOf(['requested', 'pending', 'active', 'refused']),
  provider: Type.String(),
  reference: Type.String(),
  account_number: nullableText,
  account_name: nullableText,
  bank_name: nullableText,
  refusal: nullableText,
  document: Type.Boolean(),
  /** The number of requests to the bank. */
  asked: Type.Integer(),
  created_at: timeOutput,
  active_at: nullableTime,
  swept_at: nullableTime,
});

export const showFundingOperation = defineOperation({
  name: 'funding.show',
  kind: 'question',
  summary: "show a merchant's funding accounts, and the last two digits of its BVN",
  roles,
  route: 'GET /merchants/{merchant}/funding',
  document: 'operators/funding.md',
  input: inputOf({ merchant: merchantField }),
  output: Type.Object({
    merchant: Type.String(),
    enabled: Type.Object({ test: names, live: names }),
    bvn: Type.Object({ test: nullableText, live: nullableText }),
    accounts: Type.Array(accountOutput),
  }),
  run: async ({ sql }: Asking, { merchant: code }) => {
    const { id: merchantId, code: merchant } = await findByCode(sql, code);
    const currencies = await listFundingCurrencies(sql, merchantId);
    const accounts = await listFundingAccounts(sql, merchantId);
    const enabled = (environment: Environment): string[] =>
      currencies.filter((row) => row.environment === environment).map(({ currency }) => currency);
    const masked = async (environment: Environment): Promise<string | null> => {
      const ending = (await selectIdentity(sql, { merchantId, environment }))?.bvn_ending ?? null;
      return ending && `*********${ending}`;
    };
    return {
      merchant,
      enabled: { test: enabled('test'), live: enabled('live') },
      bvn: { test: await masked('test'), live: await masked('live') },
      accounts: accounts.map((row) => ({ ...row, document: row.has_document, asked: row.tries })),
    };
  },
});
