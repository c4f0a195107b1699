/** Finds purchases of all merchants by any of their values, newest first. */

import { type Static, Type } from 'typebox';
import { accountField, accountOutput } from '../../../core/account-names.ts';
import { answerOf } from '../../../core/answer.ts';
import { formatRfc3339 } from '../../../core/clock.ts';
import { environments } from '../../../core/environment.ts';
import { listWords } from '../../../core/list-words.ts';
import { nullable, nullableText } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import {
  amountField,
  amountOutput,
  inputOf,
  nullableTime,
  oneOf,
  pageFields,
  pageOf,
  text,
  timeOutput,
} from '../../../core/operation-fields.ts';
import { planKinds } from '../../../core/products/plan-kind.ts';
import { productNames } from '../../../core/products/product.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import type { ProviderFacts } from '../../../providers/provider.ts';
import { marginAnswer, marginFields } from '../../history/purchase-margin.ts';
import { outcomeReasons } from '../../state/outcome-reason.ts';
import type { FoundPurchase } from '../found-purchase-store.ts';
import { writeCursor } from '../search-cursor.ts';
import { searchPurchases } from '../search-purchases.ts';
import { readPlace, readSearch, statusWords } from './read-search.ts';

const timeText = text('a day such as 2026-11-21, or a time such as 2026-11-21T13:05', { maxLength: 40 });

const purchaseOutput = Type.Object({
  id: Type.String(),
  reference: Type.String(),
  merchant: Type.String(),
  environment: oneOf(environments),
  product: Type.String(),
  network: Type.String(),
  plan_code: nullableText,
  recipient: Type.String(),
  face_value: amountOutput,
  charge: amountOutput,
  ...marginFields,
  refunded: amountOutput,
  status: oneOf(['pending', 'success', 'failed']),
  reason: nullableText,
  provider: nullable(accountOutput),
  attempt_reference: nullableText,
  provider_reference: nullableText,
  created_at: timeOutput,
  final_at: nullableTime,
});

export const listPurchasesOperation = defineOperation({
  name: 'purchase.list',
  kind: 'question',
  summary: 'find purchases of all merchants by any of their data, newest first',
  roles,
  listsPeople: true,
  route: 'GET /purchases',
  document: 'operators/finding.md',
  input: inputOf({
    phone: Type.Optional(text('the mobile number that was served, in any spelling', { maxLength: 30 })),
    meter: Type.Optional(text('the number of an electricity meter', { maxLength: 60 })),
    card: Type.Optional(text('a smartcard, or the number or name of another customer', { maxLength: 60 })),
    near: Type.Optional(
      Type.Boolean({
        description: 'true for numbers that differ from the phone, meter or card in exactly one digit',
      }),
    ),
    token: Type.Optional(
      Type.String({
        description: 'the 20 digits of a token that a meter takes',
        pattern: '^[ -]*(?:[0-9][ -]*){20}$',
        maxLength: 60,
      }),
    ),
    reference: Type.Optional(
      text("a reference: the merchant's, our internal one, that at the provider, or the provider's own", {
        maxLength: 200,
      }),
    ),
    merchant: Type.Optional(text('the code of a merchant')),
    product: Type.Optional(text(listWords(productNames, 'or'))),
    network: Type.Optional(text('a mobile network or a biller, by any of its names')),
    kind: Type.Optional(oneOf(planKinds, { description: 'a kind of data plans or of airtime' })),
    provider: Type.Optional(accountField('a provider: the one that ended it, or that is waited for')),
    status: Type.Optional(oneOf(statusWords)),
    reason: Type.Optional(oneOf(outcomeReasons, { description: 'why it ended' })),
    amount: Type.Optional(amountField),
    amount_min: Type.Optional(amountField),
    amount_max: Type.Optional(amountField),
    environment: Type.Optional(oneOf(environments)),
    from: Type.Optional(timeText),
    to: Type.Optional(timeText),
    ...pageFields,
  }),
  output: pageOf(purchaseOutput, { searched_until: nullableTime }),
  run: async (
    { sql, providers }: Asking & { readonly providers: readonly Pick<ProviderFacts, 'name'>[] },
    { limit = 50, cursor, ...typed },
  ) => {
    const filter = await readSearch({ sql, providers }, typed);
    const before = cursor === undefined ? undefined : readPlace(filter, cursor);
    const page = await searchPurchases(sql, filter, { before, limit });
    return {
      data: page.items.map(purchaseAnswer),
      cursor: page.before === undefined ? null : writeCursor(filter, page.before),
      searched_until: page.searchedUntil === undefined ? null : formatRfc3339(page.searchedUntil),
    };
  },
});

function purchaseAnswer(purchase: FoundPurchase): Static<typeof purchaseOutput> {
  const cost = { cost: purchase.cost, cost_estimated: purchase.costEstimated };
  const { charge, faceValue } = purchase;
  return answerOf(purchaseOutput, {
    ...purchase,
    merchant: purchase.merchantCode,
    plan_code: purchase.planCode,
    recipient: purchase.msisdn,
    face_value: faceValue,
    ...marginAnswer({ charge, face_value: faceValue, details: null }, cost, purchase),
    attempt_reference: purchase.attemptReference,
    provider_reference: purchase.providerReference,
    created_at: purchase.createdAt,
    final_at: purchase.finalAt,
  });
}
