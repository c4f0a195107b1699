/** Disables a webhook endpoint of a merchant, or enables it again, for an operator. */
import { type Static, Type } from 'typebox';
import type { Acting } from '../../audit-log/acting.ts';
import { insertEvent } from '../../events/event-store.ts';
import { defineOperation, supporters } from '../../kernel/operation.ts';
import { inputOf, reasonField } from '../../kernel/operation-fields.ts';
import { setEndpointState } from '../change-endpoint.ts';
import { endpointAnswer, endpointField, endpointOutput } from '../endpoint-answer.ts';
import { findNamedEndpoint, lockNamedEndpoint } from '../require-endpoint.ts';

const output = Type.Object({ ...endpointOutput.properties, changed: Type.Boolean() });

type Change = { readonly id: string; readonly state: 'enabled' | 'disabled'; readonly reason: string };

/** Its merchant is told by an event that it is disabled. */
async function change({ tx, actor }: Acting, { id, state, reason }: Change): Promise<Static<typeof output>> {
  const before = await lockNamedEndpoint(tx, id);
  const changed = await setEndpointState(tx, before, { state, reason }, actor);
  if (changed && state === 'disabled') {
    const { merchant_id: merchantId, environment, url, failing_since: since } = before;
    const facts = { endpoint: before.id, url, reason, failing_since: since?.toISOString() ?? null };
    await insertEvent(tx, { merchantId, environment }, { type: 'endpoint.disabled', facts });
  }
  return { ...endpointAnswer(await findNamedEndpoint(tx, id)), changed };
}

export const disableEndpointOperation = defineOperation({
  name: 'webhook.disable',
  kind: 'act',
  summary: 'send nothing more to a webhook endpoint; its events wait, for 30 days',
  roles: supporters,
  route: 'POST /webhooks/{endpoint}/disable',
  document: 'operators/webhooks.md',
  input: inputOf({ endpoint: endpointField, reason: reasonField }),
  output,
  run: (acting: Acting, { endpoint: id, reason }) => change(acting, { id, state: 'disabled', reason }),
});

export const enableEndpointOperation = defineOperation({
  name: 'webhook.enable',
  kind: 'act',
  summary: 'send to a webhook endpoint again, from where it was disabled on',
  roles: supporters,
  route: 'POST /webhooks/{endpoint}/enable',
  document: 'operators/webhooks.md',
  input: inputOf({ endpoint: endpointField }),
  output,
  run: (acting: Acting, { endpoint: id }) => change(acting, { id, state: 'enabled', reason: '' }),
});
