/** Sends one event to a webhook endpoint of a merchant once more, under the id that it has. */
import { Type } from 'typebox';
import type { Acting } from '../../audit-log/acting.ts';
import { defineOperation, supporters } from '../../kernel/operation.ts';
import { idField, inputOf } from '../../kernel/operation-fields.ts';
import { endpointFields, webhookDeliveryAnswer, webhookDeliveryOutput } from '../endpoint-answer.ts';
import { asOperation } from '../refuse-operation.ts';
import { replayOne } from '../replay.ts';
import { lockNamedEndpoint, ownerOf } from '../require-endpoint.ts';

export const replayDeliveryOperation = defineOperation({
  name: 'webhook.replay_delivery',
  kind: 'act',
  summary: 'send one event to a webhook endpoint once more, under the id that it has',
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
    const replayed = await asOperation({ endpoint, delivery }, () =>
      replayOne(tx, ownerOf(found), delivery.toLowerCase(), actor, found.id),
    );
    return { endpoint: found.id, ...webhookDeliveryAnswer(replayed) };
  },
});
