/** Lists merchants by code with their balances: all, or those that a text names. */

import { Type } from 'typebox';
import { formatAmount } from '../../core/money.ts';
import { defineOperation, roles } from '../../core/operation.ts';
import {
  amountOutput,
  currencyField,
  environmentField,
  inputOf,
  pageFields,
  pageOf,
  text,
} from '../../core/operation-fields.ts';
import { pageOfRead } from '../../core/page.ts';
import { merchantAnswer, merchantOutput } from '../../merchants/merchant-answer.ts';
import { listMerchants } from '../../merchants/merchant-store.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import { listWalletsOf } from '../wallet-store.ts';

export const listMerchantsOperation = defineOperation({
  name: 'merchant.list',
  kind: 'question',
  summary: 'list merchants by code with what each can spend, optionally those that a text names',
  roles,
  route: 'GET /merchants',
  document: 'operators/merchants.md',
  input: inputOf({
    find: Type.Optional(
      text('a part of the code or the name, or the key of a credential, in any letter case'),
    ),
    ...pageFields,
  }),
  output: pageOf(
    Type.Object({
      ...merchantOutput.properties,
      balances: Type.Array(
        Type.Object({ environment: environmentField, currency: currencyField, available: amountOutput }),
      ),
    }),
  ),
  run: async ({ sql }: Asking, { find, limit = 50, cursor }) => {
    const found = await listMerchants(sql, { find: find?.trim(), after: cursor, limit: limit + 1 });
    const { data: page, cursor: next } = pageOfRead(found, limit, ({ code }) => code);
    const wallets = Map.groupBy(
      await listWalletsOf(
        sql,
        page.map(({ id }) => id),
      ),
      ({ merchant_id: owner }) => owner,
    );
    return {
      data: page.map((merchant) => ({
        ...merchantAnswer(merchant),
        balances: (wallets.get(merchant.id) ?? []).map(({ environment, currency, posted, held, floor }) => ({
          environment,
          currency,
          available: formatAmount(posted - held - floor),
        })),
      })),
      cursor: next,
    };
  },
});
