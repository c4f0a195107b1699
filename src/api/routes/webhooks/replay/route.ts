/**
 * POST /v1/webhooks/deliveries/{id}/replay, and the same for the deliveries of an endpoint within a
 * period: sends events again under their ids.
 */
import type { WebhookDeliveryState } from '../../../../notifications/webhooks/endpoint.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { shown } from '../../../plumbing/openapi/annotations.ts';
import { type Refusal, refuseField } from '../../../plumbing/refusal.ts';
import { deliveryWire, idParams, readId } from '../webhook.ts';
import { type RangeBody, rangeAnswer, rangeBody, rangeWire, replayedAnswer } from './schema.ts';

type Dependencies = Pick<ServerDependencies, 'webhooks'>;

const tags = ['Events'];

export function registerReplayRoutes(api: Api, { webhooks }: Dependencies): void {
  const one = {
    operationId: 'replayWebhookDelivery',
    summary: 'Send an event once more',
    description: 'Sends the event at once, with the usual retries. It keeps its id.',
    tags,
    params: idParams,
    response: { 200: replayedAnswer },
    refusals: [
      { code: 'no_webhook_delivery' },
      { code: 'no_endpoint' },
      { code: 'endpoint_disabled' },
    ] as const,
  };
  api.post('/v1/webhooks/deliveries/:id/replay', { schema: one }, async (request) => {
    const id = readId(request.params.id, 'no_webhook_delivery');
    return goodsEnvelope('On its way', deliveryWire(await webhooks.replay(principalOf(request), id)));
  });
  const range = {
    operationId: 'replayEndpoint',
    summary: 'Send the events of a time once more',
    description:
      'Those that were first tried at the endpoint from one moment to another, the failed ones unless said otherwise.',
    tags,
    params: idParams,
    body: rangeBody,
    response: { 200: rangeAnswer },
    refusals: [
      { code: 'no_endpoint' },
      { code: 'endpoint_disabled' },
      shown('malformed_time', malformedTime('from')),
    ] as const,
  };
  api.post('/v1/webhooks/endpoints/:id/replay', { schema: range }, async (request) => {
    const id = readId(request.params.id, 'no_endpoint');
    const done = await webhooks.replayRange(principalOf(request), id, rangeOf(request.body));
    return goodsEnvelope('On their way', rangeWire(done));
  });
}

function rangeOf({ from, to, state = 'failed' }: RangeBody) {
  const states = [state as WebhookDeliveryState];
  return { from: readTime('from', from), to: to === undefined ? new Date() : readTime('to', to), states };
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

function readTime(field: 'from' | 'to', text: string): Date {
  const at = new Date(rfc3339.test(text) ? text.replace(' ', 'T') : Number.NaN);
  if (Number.isNaN(at.getTime())) throw malformedTime(field);
  return at;
}

function malformedTime(field: string): Refusal {
  return refuseField(
    field,
    'time_malformed',
    `${field} must be a time as RFC 3339 such as "2026-11-22T09:00:00+01:00"`,
  );
}
