/** Sends a test event to a webhook endpoint of a merchant, and to it alone. */
import { Type } from 'typebox';
import type { Acting } from '../../audit-log/acting.ts';
import { defineOperation, supporters } from '../../kernel/operation.ts';
import { inputOf } from '../../kernel/operation-fields.ts';
import { endpointFields } from '../endpoint-answer.ts';
import { asOperation } from '../refuse-operation.ts';
import { sendTest } from '../replay.ts';
import { lockNamedEndpoint, ownerOf } from '../require-endpoint.ts';

export const testEndpointOperation = defineOperation({
  name: 'webhook.test',
  kind: 'act',
  summary: 'send a test event to a webhook endpoint, whatever types of events it takes',
  roles: supporters,
  portal: { roles: ['developer'] },
  withoutStepUp: true,
  route: 'POST /webhooks/{endpoint}/test',
  document: 'operators/webhooks.md',
  input: inputOf(endpointFields),
  output: Type.Object({
    endpoint: Type.String(),
    /** What becomes of it is among the deliveries. */
    delivery: Type.String(),
    event_id: Type.String(),
  }),
  run: async ({ tx, actor }: Acting, { endpoint, merchant }) => {
    const found = await lockNamedEndpoint(tx, { endpoint, merchant });
    const { deliveryId: delivery, eventId } = await asOperation({ endpoint }, () =>
      sendTest(tx, ownerOf(found), found.id, actor),
    );
    return { endpoint: found.id, delivery, event_id: eventId };
  },
});
