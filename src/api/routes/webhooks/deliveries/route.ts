/** GET /v1/webhooks/deliveries: the deliveries of events to endpoints. */
import { Type } from 'typebox';
import { isUuid } from '../../../../core/ids.ts';
import { nullable } from '../../../../core/nullable.ts';
import {
  type WebhookDeliveryState,
  webhookDeliveryStates,
} from '../../../../notifications/webhooks/endpoint.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import { answer, okCode } from '../../../plumbing/answer.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { pageSizeMax, text, wholeNumber, words } from '../../../plumbing/fields.ts';
import { goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { shown } from '../../../plumbing/openapi/annotations.ts';
import { readWholeNumbers } from '../../../plumbing/read-query.ts';
import { type Refusal, refuseField } from '../../../plumbing/refusal.ts';
import { deliveryFields, deliveryWire, readId, sampleDelivery, sampleId } from '../webhook.ts';

const defaultLimit = 50;

const deliveriesQuery = Type.Object({
  endpoint: Type.Optional(text('the id of an endpoint', { format: 'clean-text', examples: [sampleId] })),
  state: Type.Optional(words(webhookDeliveryStates, { description: 'waiting, delivered or failed' })),
  limit: wholeNumber(pageSizeMax, defaultLimit),
  cursor: Type.Optional(
    text('the cursor of the previous page, with the same endpoint and state', { format: 'clean-text' }),
  ),
});

const deliveriesAnswer = answer(
  'WebhookDeliveriesAnswer',
  'The deliveries of events to endpoints, newest first.',
  {
    status: Type.Literal('success'),
    code: okCode,
    message: Type.String(),
    data: Type.Array(Type.Object(deliveryFields)),
    cursor: nullable(Type.String(), { description: 'null on the last page' }),
  },
  { page: { ...goodsEnvelope('1 found', [deliveryWire(sampleDelivery)]), cursor: null } },
);

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
  return refuseField('cursor', 'cursor_malformed', 'cursor must be the cursor of the previous page');
}
