/** GET /v1/giftcards/plans/{plan_id}/availability: whether so many of a card can be bought now. */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { isAvailable } from '../../../vending/orders/check-availability.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { callerOf } from '../../plumbing/authenticate.ts';
import { availabilityAnswer } from '../../plumbing/goods-answers.ts';
import { availabilityQuery, giftCardParams } from '../../plumbing/goods-schemas.ts';
import { readWholeNumbers } from '../../plumbing/read-fields.ts';
import { dropEmpty, readFaceValue, requireGiftCard } from '../../plumbing/read-goods.ts';
import { refusalAnswers } from '../../plumbing/refusals.ts';

type Route = { Params: Static<typeof giftCardParams>; Querystring: Static<typeof availabilityQuery> };

export function registerAvailabilityRoute(
  app: FastifyInstance,
  dependencies: Pick<ServerDependencies, 'goods' | 'requireOrders' | 'checkAvailability'>,
): void {
  const { goods, requireOrders, checkAvailability } = dependencies;
  const schema = {
    summary: 'Ask whether a gift card can be bought now',
    tags: ['Gift cards'],
    params: giftCardParams,
    querystring: availabilityQuery,
    response: { 200: availabilityAnswer, ...refusalAnswers(400, 502) },
  };
  app.get<Route>(
    '/v1/giftcards/plans/:plan_id/availability',
    {
      schema,
      preValidation: async (request) => {
        readWholeNumbers(request.params, ['plan_id']);
        dropEmpty(request.query);
        readWholeNumbers(request.query, ['quantity']);
      },
    },
    async (request) => {
      const caller = callerOf(request);
      requireOrders(caller, 'GIFTCARD');
      const plan = requireGiftCard(goods, caller, request.params.plan_id);
      const { quantity = 1, face_value: sent } = request.query;
      const faceValue = plan.faceValue ?? readFaceValue(sent);
      const availability = await checkAvailability({ caller, plan, quantity, faceValue });
      return {
        status: 'success',
        code: 200,
        message: availability.detail,
        data: {
          available: isAvailable(availability),
          detail: availability.detail,
          fulfillment: availability.fulfillment,
        },
      };
    },
  );
}
