/** Finds purchases of all merchants by whatever is known of them, newest first. */
import { Type } from 'typebox';
import type { Asking } from '../../../oversight/log/acting.ts';
import { formatRfc3339 } from '../../../core/clock.ts';
import { environments } from '../../../core/environment.ts';
import { listWords } from '../../../core/list-words.ts';
import { formatAmount } from '../../../core/money.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import {
  amountField,
  amountOutput,
  inputOf,
  oneOf,
  pageFields,
  pageOf,
  text,
  timeOrNull,
  timeOutput,
} from '../../../core/operation-fields.ts';
import { textOrNull } from '../../../core/nullable.ts';
import { vendProducts } from '../../../core/products/product.ts';
import type { ProviderFacts } from '../../../providers/provider.ts';
import { marginAnswer, marginFields } from '../../history/purchase-margin.ts';
import { outcomeReasons } from '../../state/outcome-reason.ts';
import type { FoundVend } from '../found-purchase-store.ts';
import { writeCursor } from '../search-cursor.ts';
import { searchVends } from '../search-purchases.ts';
import { readPlace, readSearch, statusWords } from './read-search.ts';

const timeText = text('a day such as 2026-11-21, or a time such as 2026-11-21T13:05', { maxLength: 40 });

const vendOutput = Type.Object({
  id: Type.String(),
  reference: Type.String(),
  merchant: Type.String(),
  environment: oneOf(environments),
  product: Type.String(),
  network: Type.String(),
  plan_code: textOrNull,
  recipient: Type.String(),
  face_value: amountOutput,
  charge: amountOutput,
  ...marginFields,
  refunded: amountOutput,
  status: oneOf(['pending', 'success', 'failed']),
  reason: textOrNull,
  provider: textOrNull,
  attempt_reference: textOrNull,
  provider_reference: textOrNull,
  created_at: timeOutput,
  final_at: timeOrNull,
});

export const listVendsOperation = defineOperation({
  name: 'vend.list',
  kind: 'question',
  summary: 'find purchases of all merchants by whatever is known of them, newest first',
  roles,
  listsPeople: true,
  route: 'GET /vends',
  document: 'operators/finding.md',
  input: inputOf({
    phone: Type.Optional(text('the mobile number that was served, in any spelling', { maxLength: 30 })),
    meter: Type.Optional(text('the number of an electricity meter', { maxLength: 60 })),
    card: Type.Optional(text('a smartcard, or the number or name of another customer', { maxLength: 60 })),
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
    product: Type.Optional(text(listWords(vendProducts, 'or'))),
    network: Type.Optional(text('a mobile network or a biller, by any of its names')),
    provider: Type.Optional(text('a provider: the one that ended it, or that is waited for')),
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
  output: pageOf(vendOutput, { searched_until: timeOrNull }),
  run: async (
    { sql, providers }: Asking & { readonly providers: readonly Pick<ProviderFacts, 'name'>[] },
    { limit = 50, cursor, ...typed },
  ) => {
    const filter = await readSearch({ sql, providers }, typed);
    const before = cursor === undefined ? undefined : readPlace(filter, cursor);
    const page = await searchVends(sql, filter, { before, limit });
    return {
      data: page.items.map(answerOf),
      cursor: page.before === undefined ? null : writeCursor(filter, page.before),
      searched_until: page.searchedUntil === undefined ? null : formatRfc3339(page.searchedUntil),
    };
  },
});

function answerOf(vend: FoundVend) {
  return {
    id: vend.id,
    reference: vend.reference,
    merchant: vend.merchantCode,
    environment: vend.environment,
    product: vend.product,
    network: vend.network,
    plan_code: vend.planCode,
    recipient: vend.msisdn,
    face_value: formatAmount(vend.faceValue),
    charge: formatAmount(vend.charge),
    ...marginAnswer(
      { charge: vend.charge, face_value: vend.faceValue, details: null },
      { cost: vend.cost, cost_estimated: vend.costEstimated },
      vend,
    ),
    refunded: formatAmount(vend.refunded),
    status: vend.status,
    reason: vend.reason,
    provider: vend.provider,
    attempt_reference: vend.attemptReference,
    provider_reference: vend.providerReference,
    created_at: formatRfc3339(vend.createdAt),
    final_at: vend.finalAt === null ? null : formatRfc3339(vend.finalAt),
  };
}
