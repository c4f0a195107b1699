/** Replays events to a webhook endpoint, for an operator, and sends test events. */

import { Type } from 'typebox';
import { parseDuration } from '../../../core/clock.ts';
import { OperationError } from '../../../core/errors.ts';
import { defineOperation, supporters } from '../../../core/operation.ts';
import {
  durationField,
  idField,
  inputOf,
  nullableTime,
  oneOf,
  timeOutput,
} from '../../../core/operation-fields.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { webhookDeliveryStates } from '../endpoint.ts';
import { endpointFields, webhookDeliveryAnswer, webhookDeliveryOutput } from '../endpoint-answer.ts';
import { withOperationErrors } from '../operation-errors.ts';
import { replayOne, replayRange, sendTest } from '../replay.ts';
import { lockNamedEndpoint, ownerOf } from '../require-endpoint.ts';

export const replayEndpointOperation = defineOperation({
  name: 'webhook.replay',
  kind: 'act',
  summary: 'send the events of a time range to a webhook endpoint again, with the same ids',
  roles: supporters,
  portal: { roles: ['developer'] },
  withoutStepUp: true,
  route: 'POST /webhooks/{endpoint}/replay',
  document: 'operators/webhooks.md',
  input: inputOf({
    ...endpointFields,
    since: {
      ...durationField,
      description: 'the start of the range, as how long ago: a duration such as 24h or 30d',
    },
    until: Type.Optional({
      ...durationField,
      description: 'the end of the range, as how long ago: a duration such as 1h; by default, now',
    }),
    state: oneOf(webhookDeliveryStates, { default: 'failed' }),
  }),
  output: Type.Object({
    endpoint: Type.String(),
    from: timeOutput,
    to: timeOutput,
    state: oneOf(webhookDeliveryStates),
    replayed: Type.Integer(),
    /** More deliveries are left in the range: replay it again from `next`. */
    more: Type.Boolean(),
    next: nullableTime,
  }),
  run: async (
    { tx, actor, clock }: Acting & { readonly clock: { now(): Date } },
    { endpoint: id, merchant, since, until, state },
  ) => {
    const endpoint = await lockNamedEndpoint(tx, { endpoint: id, merchant });
    if (endpoint.state !== 'enabled') {
      throw new OperationError({ code: 'webhook_endpoint_disabled', endpoint: endpoint.id });
    }
    const nowMs = clock.now().getTime();
    const from = new Date(nowMs - (parseDuration(since) ?? 0));
    const to = new Date(nowMs - (until === undefined ? 0 : (parseDuration(until) ?? 0)));
    if (from >= to) throw new OperationError({ code: 'times_backwards' });
    const { replayed, next } = await replayRange(tx, endpoint, { from, to, states: [state] }, actor);
    return { endpoint: endpoint.id, from, to, state, replayed, more: next !== null, next };
  },
});

export const replayDeliveryOperation = defineOperation({
  name: 'webhook.replay_delivery',
  kind: 'act',
  summary: 'send one event to a webhook endpoint again, with the same id',
  roles: supporters,
  portal: { roles: ['developer'] },
  withoutStepUp: true,
  route: 'POST /webhooks/{endpoint}/deliveries/{delivery}/replay',
  document: 'operators/webhooks.md',
  input: inputOf({
    ...endpointFields,
    delivery: { ...idField, description: 'the id of a delivery of that endpoint' },
  }),
  output: Type.Object({ endpoint: Type.String(), ...webhookDeliveryOutput.properties }),
  run: async ({ tx, actor }: Acting, { endpoint, merchant, delivery }) => {
    const found = await lockNamedEndpoint(tx, { endpoint, merchant });
    const replayed = await withOperationErrors({ endpoint, delivery }, () =>
      replayOne(tx, ownerOf(found), delivery.toLowerCase(), actor, found.id),
    );
    return { endpoint: found.id, ...webhookDeliveryAnswer(replayed) };
  },
});

export const testEndpointOperation = defineOperation({
  name: 'webhook.test',
  kind: 'act',
  summary: 'send a test event to a webhook endpoint of any event types',
  roles: supporters,
  portal: { roles: ['developer'] },
  withoutStepUp: true,
  route: 'POST /webhooks/{endpoint}/test',
  document: 'operators/webhooks.md',
  input: inputOf(endpointFields),
  output: Type.Object({
    endpoint: Type.String(),
    /** The id of its delivery. */
    delivery: Type.String(),
    event_id: Type.String(),
  }),
  run: async ({ tx, actor }: Acting, { endpoint, merchant }) => {
    const found = await lockNamedEndpoint(tx, { endpoint, merchant });
    const { deliveryId: delivery, eventId } = await withOperationErrors({ endpoint }, () =>
      sendTest(tx, ownerOf(found), found.id, actor),
    );
    return { endpoint: found.id, delivery, event_id: eventId };
  },
});
