/** Sends events to a webhook endpoint once more, for an operator. */
import { Type } from 'typebox';
import type { Acting } from '../../audit-log/acting.ts';
import { formatRfc3339, parseDuration } from '../../kernel/clock.ts';
import { OperationError } from '../../kernel/errors.ts';
import { defineOperation, supporters } from '../../kernel/operation.ts';
import { durationField, inputOf, oneOf, timeOrNull, timeOutput } from '../../kernel/operation-fields.ts';
import { webhookDeliveryStates } from '../endpoint.ts';
import { endpointFields } from '../endpoint-answer.ts';
import { replayRange } from '../replay.ts';
import { lockNamedEndpoint } from '../require-endpoint.ts';

export const replayEndpointOperation = defineOperation({
  name: 'webhook.replay',
  kind: 'act',
  summary: 'send the events of a time to a webhook endpoint once more, under the ids that they have',
  roles: supporters,
  portal: { roles: ['developer'] },
  withoutStepUp: true,
  route: 'POST /webhooks/{endpoint}/replay',
  document: 'operators/webhooks.md',
  input: inputOf({
    ...endpointFields,
    since: {
      ...durationField,
      description: 'how long ago they were first tried at most: a time such as 24h or 30d',
    },
    until: Type.Optional({
      ...durationField,
      description: 'how long ago they were first tried at least: a time such as 1h; without it, up to now',
    }),
    state: oneOf(webhookDeliveryStates, { default: 'failed' }),
  }),
  output: Type.Object({
    endpoint: Type.String(),
    from: timeOutput,
    to: timeOutput,
    state: oneOf(webhookDeliveryStates),
    replayed: Type.Integer(),
    /** There are more in that time: replay it again, from `next` on. */
    more: Type.Boolean(),
    next: timeOrNull,
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
    return {
      endpoint: endpoint.id,
      from: formatRfc3339(from),
      to: formatRfc3339(to),
      state,
      replayed,
      more: next !== null,
      next: next === null ? null : formatRfc3339(next),
    };
  },
});
