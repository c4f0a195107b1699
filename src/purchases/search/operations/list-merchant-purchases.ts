/** Finds the purchases of one merchant as the merchant sees them: without providers and costs. */

import { type Static, Type } from 'typebox';
import { answerOf } from '../../../core/answer.ts';
import { formatRfc3339 } from '../../../core/clock.ts';
import { environments } from '../../../core/environment.ts';
import { OperationError } from '../../../core/errors.ts';
import { nullableText } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import {
  amountOutput,
  dayField,
  environmentField,
  inputOf,
  merchantField,
  nullableTime,
  oneOf,
  pageOf,
  text,
  timeOutput,
} from '../../../core/operation-fields.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import type { FoundPurchase } from '../found-purchase-store.ts';
import { writeCursor } from '../search-cursor.ts';
import { searchPurchases } from '../search-purchases.ts';
import { listPurchasesOperation } from './list-purchases.ts';
import { readPlace, readSearch } from './read-search.ts';

const purchaseOutput = Type.Object({
  id: Type.String(),
  reference: Type.String(),
  environment: environmentField,
  product: Type.String(),
  network: Type.String(),
  plan_code: nullableText,
  recipient: Type.String(),
  amount: amountOutput,
  /** The amount that the wallet pays. */
  charge: amountOutput,
  refunded: amountOutput,
  status: oneOf(['pending', 'success', 'failed']),
  reason: nullableText,
  created_at: timeOutput,
  ended_at: nullableTime,
});

const { phone, meter, card, token, product, network, status, from, to, limit, cursor } =
  listPurchasesOperation.input.properties;

export const listMerchantPurchasesOperation = defineOperation({
  name: 'merchant_purchase.list',
  kind: 'question',
  summary: "find a merchant's purchases, newest first, as the merchant sees them",
  roles,
  portal: { roles: ['viewer', 'finance', 'developer'] },
  listsPeople: true,
  route: 'GET /merchants/{merchant}/purchases',
  document: 'operators/merchants.md',
  input: inputOf({
    merchant: merchantField,
    phone,
    meter,
    card,
    token,
    product,
    network,
    status,
    reference: Type.Optional(
      text("the merchant's reference of a purchase, or our internal reference", { maxLength: 200 }),
    ),
    environment: Type.Optional(oneOf(environments)),
    day: Type.Optional({ ...dayField, description: 'a day such as 2026-11-21, in Lagos' }),
    from,
    to,
    limit,
    cursor,
  }),
  output: pageOf(purchaseOutput, { searched_until: nullableTime }),
  run: async ({ sql }: Asking, { limit: most = 50, cursor: place, day, ...typed }) => {
    const filter = await readSearch({ sql, providers: [] }, { ...typed, ...timesOf(day, typed) });
    const before = place === undefined ? undefined : readPlace(filter, place);
    const page = await searchPurchases(sql, filter, { before, limit: most });
    return {
      data: page.items.map(purchaseAnswer),
      cursor: page.before === undefined ? null : writeCursor(filter, page.before),
      searched_until: page.searchedUntil === undefined ? null : formatRfc3339(page.searchedUntil),
    };
  },
});

function timesOf(
  day: string | undefined,
  times: { readonly from?: string; readonly to?: string },
): { readonly from?: string; readonly to?: string } {
  if (day === undefined) return {};
  if (times.from !== undefined || times.to !== undefined) {
    const wanted = 'left out where from or to is given';
    throw new OperationError({ code: 'input_malformed', errors: [{ field: 'day', kind: 'wrong', wanted }] });
  }
  return { from: day, to: day };
}

function purchaseAnswer(purchase: FoundPurchase): Static<typeof purchaseOutput> {
  return answerOf(purchaseOutput, {
    ...purchase,
    plan_code: purchase.planCode,
    recipient: purchase.msisdn,
    amount: purchase.faceValue,
    created_at: purchase.createdAt,
    ended_at: purchase.finalAt,
  });
}
