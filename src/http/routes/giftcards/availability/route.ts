/** GET /v1/giftcards/plans/{plan_id}/availability: whether so many of a card can be bought now. */
import { isAvailable } from '../../../../vending/orders/check-availability.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { availabilityWords } from '../../../plumbing/availability-words.ts';
import { goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { readWholeNumbers } from '../../../plumbing/read-query.ts';
import { refusalAnswers } from '../../../plumbing/refusals.ts';
import { planParams, readFaceValue, requireGiftCard } from '../card.ts';
import { availabilityAnswer, availabilityQuery } from './schema.ts';

export function registerAvailabilityRoute(
  api: Api,
  {
    goods,
    requireOrders,
    checkAvailability,
  }: Pick<ServerDependencies, 'goods' | 'requireOrders' | 'checkAvailability'>,
): void {
  const schema = {
    summary: 'Ask whether a gift card can be bought now',
    tags: ['Gift cards'],
    params: planParams,
    querystring: availabilityQuery,
    response: { 200: availabilityAnswer, ...refusalAnswers(400, 502) },
  };
  const preValidation = async ({ params, query }: { params: unknown; query: unknown }): Promise<void> => {
    readWholeNumbers(params, ['plan_id']);
    readWholeNumbers(query, ['quantity']);
  };
  const path = '/v1/giftcards/plans/:plan_id/availability';
  api.get(path, { schema, preValidation }, async (request) => {
    const principal = principalOf(request);
    requireOrders(principal, 'GIFTCARD');
    const plan = requireGiftCard(goods, principal, request.params.plan_id);
    const { quantity = 1, face_value: sent } = request.query;
    const faceValue = plan.faceValue ?? readFaceValue(sent);
    const availability = await checkAvailability({ principal, plan, quantity, faceValue });
    const detail = availabilityWords(availability);
    return goodsEnvelope(detail, {
      available: isAvailable(availability),
      detail,
      fulfillment: availability.fulfillment,
    });
  });
}
