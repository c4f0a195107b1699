/** GET /v1/giftcards/plans/{plan_id}/quote and POST /v1/giftcards/quote: what one card costs in naira now. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { priceGiftCard } from '../../../catalog/gift-card-plan.ts';
import { formatAmount } from '../../../kernel/money.ts';
import type { Caller } from '../../../merchants/merchant.ts';
import { requireCardValue } from '../../../vending/orders/check-availability.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { callerOf } from '../../plumbing/authenticate.ts';
import { giftCardQuoteAnswer } from '../../plumbing/goods-answers.ts';
import { toNumber } from '../../plumbing/goods-items.ts';
import { faceValueQuery, giftCardParams, giftCardQuoteBody } from '../../plumbing/goods-schemas.ts';
import { acceptAnyContentType, readJsonBody } from '../../plumbing/json-body.ts';
import { readWholeNumbers } from '../../plumbing/read-fields.ts';
import { dropEmpty, readFaceValue, requireGiftCard, requireRate } from '../../plumbing/read-goods.ts';
import { refusalAnswers } from '../../plumbing/refusals.ts';

type Dependencies = Pick<ServerDependencies, 'goods' | 'requireOrders'>;
type GetRoute = { Params: Static<typeof giftCardParams>; Querystring: Static<typeof faceValueQuery> };
type Asked = { readonly plan_id: number; readonly face_value?: number | string };

export function registerGiftCardQuoteRoutes(app: FastifyInstance, dependencies: Dependencies): void {
  const common = {
    description:
      'A variable card is quoted at face_value, or at its min_price where none is sent; a fixed card ignores it.',
    tags: ['Gift cards'],
    response: { 200: giftCardQuoteAnswer, ...refusalAnswers(400) },
  };
  app.get<GetRoute>(
    '/v1/giftcards/plans/:plan_id/quote',
    {
      schema: {
        ...common,
        summary: 'Quote a gift card',
        params: giftCardParams,
        querystring: faceValueQuery,
      },
      preValidation: async (request) => {
        readWholeNumbers(request.params, ['plan_id']);
        dropEmpty(request.query);
      },
    },
    async (request) => quote(dependencies, callerOf(request), { ...request.query, ...request.params }),
  );
  app.post<{ Body: Static<typeof giftCardQuoteBody> }>(
    '/v1/giftcards/quote',
    {
      schema: {
        ...common,
        summary: 'Quote a gift card, as a body',
        body: giftCardQuoteBody,
        response: { 200: giftCardQuoteAnswer, ...refusalAnswers(400, 422) },
      },
      onRequest: acceptAnyContentType,
      preValidation: async (request: FastifyRequest) => {
        request.body = readJsonBody(request);
      },
    },
    async (request) => quote(dependencies, callerOf(request), request.body),
  );
}

function quote(
  { goods, requireOrders }: Dependencies,
  caller: Caller,
  { plan_id: planId, face_value: sent }: Asked,
): unknown {
  requireOrders(caller, 'GIFTCARD');
  const plan = requireGiftCard(goods, caller, planId);
  const value = requireCardValue(plan, plan.faceValue ?? readFaceValue(sent));
  const { ngnPrice } = priceGiftCard(plan, value, requireRate(goods, plan.currency));
  return {
    status: 'success',
    code: 200,
    message: 'Quote of one card',
    data: {
      plan_id: plan.planId,
      title: plan.title,
      face_value: toNumber(value),
      currency_code: plan.currency,
      ngn_price: formatAmount(ngnPrice),
      ngn_amount: formatAmount(ngnPrice),
    },
  };
}
