/** Shows a webhook endpoint, and what became of its newest events. */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { inputOf } from '../../kernel/operation-fields.ts';
import {
  endpointAnswer,
  endpointFields,
  endpointOutput,
  webhookDeliveryAnswer,
  webhookDeliveryOutput,
} from '../endpoint-answer.ts';
import { findNamedEndpoint } from '../require-endpoint.ts';
import { listWebhookDeliveries } from '../webhook-delivery-store.ts';

const NEWEST = 20;

export const showEndpointOperation = defineOperation({
  name: 'webhook.show',
  kind: 'question',
  summary: 'show a webhook endpoint, and what became of the newest events there',
  roles,
  portal: { roles: ['viewer', 'developer'] },
  route: 'GET /webhooks/{endpoint}',
  document: 'operators/webhooks.md',
  input: inputOf({ ...endpointFields }),
  output: Type.Object({ ...endpointOutput.properties, newest: Type.Array(webhookDeliveryOutput) }),
  run: async ({ sql }: Asking, named) => {
    const endpoint = await findNamedEndpoint(sql, named);
    const { merchant_id: merchantId, environment } = endpoint;
    const newest = await listWebhookDeliveries(
      sql,
      { merchantId, environment },
      { endpointId: endpoint.id, state: undefined, before: undefined, limit: NEWEST },
    );
    return { ...endpointAnswer(endpoint), newest: newest.map(webhookDeliveryAnswer) };
  },
});
