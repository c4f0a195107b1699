/**
 * GET /v1/giftcards/plans/{plan_id}/availability: whether this number of cards can be bought now.
 */
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { orderRefusals } from '../../../plumbing/openapi/order-refusals.ts';
import { readWholeNumbers } from '../../../plumbing/read-query.ts';
import { faceValueOutOfRange, planParams, readFaceValue, requireGiftCard, unknownGiftCard } from '../card.ts';
import { availabilityAnswer, availabilityEnvelope, availabilityQuery } from './schema.ts';

export function registerAvailabilityRoute(
  api: Api,
  { catalog, purchases }: Pick<ServerDependencies, 'catalog' | 'purchases'>,
): void {
  const schema = {
    operationId: 'getGiftCardAvailability',
    summary: 'Check whether a gift card can be bought now',
    description: 'Queries the provider, or returns its recent answer. It reserves nothing.',
    tags: ['Gift cards'],
    params: planParams,
    querystring: availabilityQuery,
    response: { 200: availabilityAnswer },
    refusals: [
      ...orderRefusals('GIFTCARD'),
      unknownGiftCard,
      faceValueOutOfRange,
      { code: 'availability_unknown' },
      { code: 'provider_look_ups_full' },
    ] as const,
  };
  const preValidation = async ({ params, query }: { params: unknown; query: unknown }): Promise<void> => {
    readWholeNumbers(params, ['plan_id']);
    readWholeNumbers(query, ['quantity']);
  };
  const path = '/v1/giftcards/plans/:plan_id/availability';
  api.get(path, { schema, preValidation }, async (request) => {
    const principal = principalOf(request);
    purchases.requireOrders(principal, 'GIFTCARD');
    const plan = requireGiftCard(catalog, principal, request.params.plan_id);
    const { face_value: sent } = request.query;
    const faceValue = plan.faceValue ?? readFaceValue(sent);
    return availabilityEnvelope(await purchases.checkAvailability({ principal, plan, faceValue }));
  });
}
