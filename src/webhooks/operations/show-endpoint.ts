/** Shows a webhook endpoint, and what became of its newest events. */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { inputOf } from '../../kernel/operation-fields.ts';
import {
  endpointAnswer,
  endpointField,
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
  route: 'GET /webhooks/{endpoint}',
  document: 'operators/webhooks.md',
  input: inputOf({ endpoint: endpointField }),
  output: Type.Object({ ...endpointOutput.properties, newest: Type.Array(webhookDeliveryOutput) }),
  run: async ({ sql }: Asking, { endpoint: id }) => {
    const endpoint = await findNamedEndpoint(sql, id);
    const { merchant_id: merchantId, environment } = endpoint;
    const newest = await listWebhookDeliveries(
      sql,
      { merchantId, environment },
      { endpointId: endpoint.id, state: undefined, before: undefined, limit: NEWEST },
    );
    return { ...endpointAnswer(endpoint), newest: newest.map(webhookDeliveryAnswer) };
  },
});
