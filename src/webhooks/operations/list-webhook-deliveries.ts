/** Lists what became of events at a webhook endpoint. */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { idField, inputOf, oneOf, pageFields, pageOf } from '../../kernel/operation-fields.ts';
import { pageOfRead } from '../../kernel/page.ts';
import { webhookDeliveryStates } from '../endpoint.ts';
import { endpointFields, webhookDeliveryAnswer, webhookDeliveryOutput } from '../endpoint-answer.ts';
import { findNamedEndpoint } from '../require-endpoint.ts';
import { listWebhookDeliveries } from '../webhook-delivery-store.ts';

export const listWebhookDeliveriesOperation = defineOperation({
  name: 'webhook.deliveries',
  kind: 'question',
  summary: 'list what became of events at a webhook endpoint, newest first',
  roles,
  portal: { roles: ['viewer', 'developer'] },
  route: 'GET /webhooks/{endpoint}/deliveries',
  document: 'operators/webhooks.md',
  input: inputOf({
    ...endpointFields,
    state: Type.Optional(oneOf(webhookDeliveryStates)),
    delivery: Type.Optional({ ...idField, description: 'the id of one delivery, to see that one alone' }),
    limit: pageFields.limit,
    cursor: Type.Optional({ ...idField, description: 'the cursor of the page before' }),
  }),
  output: pageOf(webhookDeliveryOutput),
  run: async ({ sql }: Asking, { endpoint, merchant, state, delivery, limit = 50, cursor }) => {
    const {
      id: endpointId,
      merchant_id: merchantId,
      environment,
    } = await findNamedEndpoint(sql, {
      endpoint,
      merchant,
    });
    const filter = { endpointId, state, id: delivery, before: cursor, limit: limit + 1 };
    const rows = await listWebhookDeliveries(sql, { merchantId, environment }, filter);
    const page = pageOfRead(rows, limit, (row) => row.id);
    return { data: page.data.map(webhookDeliveryAnswer), cursor: page.cursor };
  },
});
