/** Shows a delivery of a webhook endpoint with its payload. */
import { Type } from 'typebox';
import { eventBody, isGone, wireId } from '../../../api/plumbing/event-answer.ts';
import { OperationError } from '../../../core/errors.ts';
import { nullableText } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { idField, inputOf } from '../../../core/operation-fields.ts';
import {
  endpointFields,
  webhookDeliveryAnswer,
  webhookDeliveryOutput,
} from '../../../notifications/webhooks/endpoint-answer.ts';
import { findNamedEndpoint, ownerOf } from '../../../notifications/webhooks/require-endpoint.ts';
import { sameHeaders } from '../../../notifications/webhooks/send-event.ts';
import { findDeliveryEvent } from '../../../notifications/webhooks/webhook-delivery-store.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { withPurchases } from '../../../purchases/history/event-purchases.ts';

export const showWebhookDeliveryOperation = defineOperation({
  name: 'webhook.show_delivery',
  kind: 'question',
  summary: 'show a delivery of a webhook endpoint with its headers and its payload, without goods',
  roles,
  portal: { roles: ['viewer', 'developer'] },
  route: 'GET /webhooks/{endpoint}/deliveries/{delivery}',
  document: 'operators/webhooks.md',
  input: inputOf({
    ...endpointFields,
    delivery: { ...idField, description: 'the id of a delivery of that endpoint' },
  }),
  output: Type.Object({
    ...webhookDeliveryOutput.properties,
    /** Without the signature headers, which each attempt computes. */
    headers: Type.Record(Type.String(), Type.String()),
    /** The JSON that is sent now. Null if the purchase or event is no longer stored. */
    payload: nullableText,
    /** The endpoint also gets the goods, such as tokens and PINs. */
    goods_left_out: Type.Boolean(),
  }),
  run: async ({ sql }: Asking, { delivery: id, ...named }) => {
    const endpoint = await findNamedEndpoint(sql, named);
    const owner = ownerOf(endpoint);
    const found = await findDeliveryEvent(sql, owner, { endpointId: endpoint.id, id: id.toLowerCase() });
    if (found === undefined) throw new OperationError({ code: 'no_webhook_delivery', delivery: id });
    const [told] = await withPurchases(sql, owner, [found.event]);
    const isKept = told !== undefined && !isGone(told.event, told.purchase);
    return {
      ...webhookDeliveryAnswer(found.delivery),
      headers: { ...sameHeaders, 'webhook-id': wireId(found.event.id) },
      payload: isKept ? JSON.stringify(eventBody(told, { withGoods: false })) : null,
      goods_left_out: endpoint.with_goods && told?.purchase !== undefined,
    };
  },
});
