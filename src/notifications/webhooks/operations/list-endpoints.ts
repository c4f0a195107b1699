/** Lists and shows webhook endpoints and their deliveries. */

import { Type } from 'typebox';
import { defineOperation, roles } from '../../../core/operation.ts';
import {
  environmentsField,
  idField,
  inputOf,
  merchantField,
  oneOf,
  pageFields,
  pageOf,
  text,
} from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import { findByCode } from '../../../merchants/require-merchant.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { webhookDeliveryStates } from '../endpoint.ts';
import {
  endpointAnswer,
  endpointFields,
  endpointOutput,
  webhookDeliveryAnswer,
  webhookDeliveryOutput,
} from '../endpoint-answer.ts';
import { listEndpoints } from '../endpoint-store.ts';
import { findNamedEndpoint } from '../require-endpoint.ts';
import { listWebhookDeliveries } from '../webhook-delivery-store.ts';

export const listEndpointsOperation = defineOperation({
  name: 'webhook.list',
  kind: 'question',
  summary: 'list webhook endpoints of merchants, with their health',
  roles,
  portal: { roles: ['viewer', 'developer'] },
  route: 'GET /webhooks',
  document: 'operators/webhooks.md',
  input: inputOf({
    merchant: Type.Optional(merchantField),
    environment: environmentsField,
    troubled: Type.Optional(
      Type.Boolean({ description: 'true for only endpoints that fail or are disabled' }),
    ),
    find: Type.Optional(text('a part of the URL, or the id of an endpoint')),
    limit: pageFields.limit,
    cursor: Type.Optional({ ...idField, description: 'the cursor of the previous page' }),
  }),
  output: pageOf(endpointOutput),
  run: async ({ sql }: Asking, { merchant, environment, troubled = false, find, limit = 50, cursor }) => {
    const owner = merchant === undefined ? undefined : await findByCode(sql, merchant);
    const rows = await listEndpoints(sql, {
      merchantId: owner?.id,
      environment,
      isTroubled: troubled,
      find: find?.trim(),
      after: cursor,
      limit: limit + 1,
    });
    return pageOfRead(rows, limit, ({ id }) => id, endpointAnswer);
  },
});

const NEWEST = 20;

export const showEndpointOperation = defineOperation({
  name: 'webhook.show',
  kind: 'question',
  summary: 'show a webhook endpoint and its newest deliveries',
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

export const listWebhookDeliveriesOperation = defineOperation({
  name: 'webhook.deliveries',
  kind: 'question',
  summary: 'list the deliveries of a webhook endpoint, newest first',
  roles,
  portal: { roles: ['viewer', 'developer'] },
  route: 'GET /webhooks/{endpoint}/deliveries',
  document: 'operators/webhooks.md',
  input: inputOf({
    ...endpointFields,
    state: Type.Optional(oneOf(webhookDeliveryStates)),
    delivery: Type.Optional({ ...idField, description: 'the id of a delivery, to list only that one' }),
    limit: pageFields.limit,
    cursor: Type.Optional({ ...idField, description: 'the cursor of the previous page' }),
  }),
  output: pageOf(webhookDeliveryOutput),
  run: async ({ sql }: Asking, { endpoint, merchant, state, delivery, limit = 50, cursor }) => {
    const { id, merchant_id: merchantId, environment } = await findNamedEndpoint(sql, { endpoint, merchant });
    const filter = { endpointId: id, state, id: delivery, before: cursor, limit: limit + 1 };
    const rows = await listWebhookDeliveries(sql, { merchantId, environment }, filter);
    return pageOfRead(rows, limit, ({ id }) => id, webhookDeliveryAnswer);
  },
});
