/** GET /v1/webhooks/deliveries: the deliveries of events to endpoints. */
import { isUuid } from '../../../../core/ids.ts';
import type { WebhookDeliveryState } from '../../../../notifications/webhooks/endpoint.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { shown } from '../../../plumbing/openapi/annotations.ts';
import { readWholeNumbers } from '../../../plumbing/read-query.ts';
import { type Refusal, refuseField } from '../../../plumbing/refusal.ts';
import { deliveryWire, readId } from '../webhook.ts';
import { defaultLimit, deliveriesAnswer, deliveriesQuery } from './schema.ts';

export function registerDeliveriesRoute(api: Api, { webhooks }: Pick<ServerDependencies, 'webhooks'>): void {
  const schema = {
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries to endpoints',
    description: 'Deliveries of the last 30 days, newest first, with the beginning of the last answer.',
    tags: ['Events'],
    querystring: deliveriesQuery,
    response: { 200: deliveriesAnswer },
    refusals: [shown('unknown_cursor', unknownCursor()), { code: 'no_endpoint' }] as const,
  };
  const preValidation = async ({ query }: { query: unknown }): Promise<void> =>
    readWholeNumbers(query, ['limit']);
  api.get('/v1/webhooks/deliveries', { schema, preValidation }, async (request) => {
    const { endpoint, state, limit = defaultLimit, cursor } = request.query;
    if (cursor !== undefined && !isUuid(cursor)) throw unknownCursor();
    const found = await webhooks.deliveries(principalOf(request), {
      endpointId: endpoint === undefined ? undefined : readId(endpoint, 'no_endpoint'),
      state: state as WebhookDeliveryState | undefined,
      before: cursor,
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    const next = found.length > limit ? (page.at(-1)?.id ?? null) : null;
    return { ...goodsEnvelope(`${page.length} found`, page.map(deliveryWire)), cursor: next };
  });
}

function unknownCursor(): Refusal {
  return refuseField('cursor', 'cursor_malformed', 'cursor must be the cursor of the page before');
}
