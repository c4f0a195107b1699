/**
 * POST /v1/webhooks/deliveries/{id}/replay, and the same for the deliveries of an endpoint within a
 * period: sends events again under their ids.
 */
import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../../../../core/clock.ts';
import { nullable } from '../../../../core/nullable.ts';
import {
  type Replayed,
  type WebhookDeliveryState,
  webhookDeliveryStates,
} from '../../../../notifications/webhooks/endpoint.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { bodyOptions, cleanText, text, words } from '../../../plumbing/fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { shown } from '../../../plumbing/openapi/annotations.ts';
import { type Refusal, refuseField } from '../../../plumbing/refusal.ts';
import { deliveryFields, deliveryWire, idParams, readId, sampleDelivery } from '../webhook.ts';

const replayedAnswer = goodsAnswer('WebhookDeliveryAnswer', 'It is due now.', Type.Object(deliveryFields), {
  replayed: goodsEnvelope(
    'On its way',
    deliveryWire({
      ...sampleDelivery,
      state: 'waiting',
      tries: 0,
      due_at: new Date('2026-11-22T10:00:00Z'),
    }),
  ),
});

const time = (what: string) =>
  text(`${what}, as RFC 3339 such as "2026-11-22T09:00:00+01:00", ${cleanText}`, {
    format: 'clean-text',
    examples: ['2026-11-22T09:00:00+01:00'],
  });

const rangeBody = Type.Object(
  {
    from: time('the first moment'),
    to: Type.Optional(time('the first moment after the period (default: now)')),
    state: Type.Optional(
      words(webhookDeliveryStates, { description: 'waiting, delivered or failed; without it: failed' }),
    ),
  },
  {
    ...bodyOptions,
    title: 'ReplayBody',
    'x-examples': {
      failed: { from: '2026-11-22T09:00:00+01:00' },
      delivered: {
        from: '2026-11-22T09:00:00+01:00',
        to: '2026-11-22T10:00:00+01:00',
        state: 'delivered',
      },
    },
  },
);

type RangeBody = Static<typeof rangeBody>;

/** Includes the whole millisecond of the first remaining delivery. */
function rangeWire({ replayed, next }: Replayed) {
  return { replayed, more: next !== null, from: next === null ? null : formatRfc3339(next) };
}

const rangeAnswer = goodsAnswer(
  'ReplayAnswer',
  'They are due now.',
  Type.Object({
    replayed: Type.Integer({ description: 'how many; 10,000 at most' }),
    more: Type.Boolean({ description: 'the period contains more deliveries' }),
    from: nullable(Type.String(), {
      description: 'where there are more: send the request again with this from, and with the same to',
    }),
  }),
  {
    replayed: goodsEnvelope('On their way', rangeWire({ replayed: 12, next: null })),
    more: goodsEnvelope(
      'On their way',
      rangeWire({ replayed: 10_000, next: new Date('2026-11-22T09:30:00Z') }),
    ),
  },
);

type Dependencies = Pick<ServerDependencies, 'webhooks'>;

const tags = ['Events'];

export function registerReplayRoutes(api: Api, { webhooks }: Dependencies): void {
  const one = {
    operationId: 'replayWebhookDelivery',
    summary: 'Send an event again',
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
    summary: 'Send the events of a period again',
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
