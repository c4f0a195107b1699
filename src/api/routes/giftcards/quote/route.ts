/**
 * GET /v1/giftcards/plans/{plan_id}/quote and POST /v1/giftcards/quote: the current price of one
 * card in naira.
 */
import type { Static } from 'typebox';
import { requireRate } from '../../../../catalog/fx-rate.ts';
import { priceGiftCard } from '../../../../catalog/gift-card-plan.ts';
import { formatAmount } from '../../../../core/money.ts';
import type { Principal } from '../../../../merchants/merchant.ts';
import { requireCardValue } from '../../../../purchases/orders/check-availability.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { orderRefusals } from '../../../plumbing/openapi/order-refusals.ts';
import { readWholeNumbers } from '../../../plumbing/read-query.ts';
import {
  faceValueOutOfRange,
  planParams,
  readFaceValue,
  requireGiftCard,
  toNumber,
  unknownGiftCard,
} from '../card.ts';
import { type QuoteBody, quoteAnswer, quoteBody, quoteQuery } from './schema.ts';

type Dependencies = Pick<ServerDependencies, 'catalog' | 'purchases'>;

const common = {
  description:
    'A variable card is quoted at face_value, or at its min_price without one; a fixed card ignores it.',
  tags: ['Gift cards'],
  refusals: [
    ...orderRefusals('GIFTCARD'),
    unknownGiftCard,
    faceValueOutOfRange,
    { code: 'no_exchange_rate', currency: 'USD' },
  ] as const,
};

export function registerGiftCardQuoteRoutes(api: Api, dependencies: Dependencies): void {
  const asked = {
    ...common,
    operationId: 'quoteGiftCard',
    summary: 'Quote a gift card',
    params: planParams,
    querystring: quoteQuery,
    response: { 200: quoteAnswer },
  };
  const preValidation = async ({ params }: { params: unknown }): Promise<void> =>
    readWholeNumbers(params, ['plan_id']);
  api.get('/v1/giftcards/plans/:plan_id/quote', { schema: asked, preValidation }, async (request) =>
    quote(dependencies, principalOf(request), { ...request.query, ...request.params }),
  );
  const posted = {
    ...common,
    operationId: 'quoteGiftCardByBody',
    summary: 'Quote a gift card, as a body',
    body: quoteBody,
    response: { 200: quoteAnswer },
  };
  api.post('/v1/giftcards/quote', { schema: posted, config: { looksUp: true } }, async (request) =>
    quote(dependencies, principalOf(request), request.body),
  );
}

function quote(
  { catalog, purchases }: Dependencies,
  principal: Principal,
  { plan_id: planId, face_value: sent }: QuoteBody,
): Static<typeof quoteAnswer> {
  purchases.requireOrders(principal, 'GIFTCARD');
  const plan = requireGiftCard(catalog, principal, planId);
  const value = requireCardValue(plan, plan.faceValue ?? readFaceValue(sent));
  const { ngnPrice } = priceGiftCard(plan, value, requireRate(catalog, plan.currency));
  return goodsEnvelope('Quote of one card', {
    plan_id: plan.planId,
    title: plan.title,
    face_value: toNumber(value),
    currency_code: plan.currency,
    ngn_price: formatAmount(ngnPrice),
    ngn_amount: formatAmount(ngnPrice),
  });
}
