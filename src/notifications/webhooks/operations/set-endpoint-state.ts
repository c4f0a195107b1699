/** Enables and disables a webhook endpoint, for an operator. */
import { type Static, Type } from 'typebox';
import { defineOperation, supporters } from '../../../core/operation.ts';
import { inputOf, reasonField } from '../../../core/operation-fields.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { insertEvent } from '../../events/event-store.ts';
import { setEndpointState } from '../change-endpoint.ts';
import { endpointAnswer, endpointFields, endpointOutput } from '../endpoint-answer.ts';
import { findNamedEndpoint, lockNamedEndpoint } from '../require-endpoint.ts';

const output = Type.Object({ ...endpointOutput.properties, changed: Type.Boolean() });

type Change = {
  readonly named: { readonly endpoint: string; readonly merchant?: string | undefined };
  readonly state: 'enabled' | 'disabled';
  readonly reason: string;
};

/** Changes the state of an endpoint. An event notifies the merchant when it is disabled. */
async function change(
  { tx, actor }: Acting,
  { named, state, reason }: Change,
): Promise<Static<typeof output>> {
  const before = await lockNamedEndpoint(tx, named);
  const changed = await setEndpointState(tx, before, { state, reason }, actor);
  if (changed && state === 'disabled') {
    const { merchant_id: merchantId, environment, url, failing_since: since } = before;
    const facts = { endpoint: before.id, url, reason, failing_since: since?.toISOString() ?? null };
    await insertEvent(tx, { merchantId, environment }, { type: 'endpoint.disabled', facts });
  }
  return { ...endpointAnswer(await findNamedEndpoint(tx, named)), changed };
}

export const disableEndpointOperation = defineOperation({
  name: 'webhook.disable',
  kind: 'act',
  summary: 'stop sending to a webhook endpoint; its events are kept for 30 days',
  roles: supporters,
  portal: { roles: ['developer'] },
  route: 'POST /webhooks/{endpoint}/disable',
  document: 'operators/webhooks.md',
  input: inputOf({ ...endpointFields, reason: reasonField }),
  output,
  run: (acting: Acting, { reason, ...named }) => change(acting, { named, state: 'disabled', reason }),
});

export const enableEndpointOperation = defineOperation({
  name: 'webhook.enable',
  kind: 'act',
  summary: 'resume sending to a webhook endpoint, from the event where it was disabled',
  roles: supporters,
  portal: { roles: ['developer'] },
  route: 'POST /webhooks/{endpoint}/enable',
  document: 'operators/webhooks.md',
  input: inputOf({ ...endpointFields }),
  output,
  run: (acting: Acting, named) => change(acting, { named, state: 'enabled', reason: '' }),
});
