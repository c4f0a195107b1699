/**
 * Lists the webhooks about one purchase, sent and pending. Its cost does not grow with the number
 * of purchases.
 */

import { Type } from 'typebox';
import { nullable, nullableText } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { inputOf, nullableTime, oneOf } from '../../../core/operation-fields.ts';
import { type EventType, typeOf } from '../../../notifications/events/event.ts';
import { webhookDeliveryStates } from '../../../notifications/webhooks/endpoint.ts';
import {
  type EndpointBehind,
  listDeliveriesOfPurchase,
  listEndpointsBehind,
  type PurchaseDelivery,
} from '../../../notifications/webhooks/purchase-webhook-store.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { purchaseFields, requirePurchase } from '../find-purchase.ts';
import { findOutcome } from '../timeline-store.ts';

const webhookOutput = Type.Object({
  endpoint: Type.String(),
  /** Null if the endpoint was deleted. */
  url: nullableText,
  endpoint_state: oneOf(['enabled', 'disabled', 'deleted']),
  event_type: Type.String(),
  event_id: Type.String(),
  /** Null before the first attempt. */
  delivery: nullableText,
  /**
   * `to_send`: the first attempt is due. `held`: it waits until the endpoint is enabled, however
   * often it was attempted.
   */
  state: oneOf([...webhookDeliveryStates, 'to_send', 'held']),
  tries: Type.Integer(),
  /** The time of the next attempt. Null if none follows, or it follows within seconds. */
  next_at: nullableTime,
  tried_at: nullableTime,
  http_status: nullable(Type.Integer()),
  note: nullableText,
  /** The beginning of the endpoint's answer. */
  answer: nullableText,
});

export const listPurchaseWebhooksOperation = defineOperation({
  name: 'purchase.webhooks',
  kind: 'question',
  summary: 'list the webhooks of a purchase that were sent or are still to be sent',
  roles,
  route: 'GET /purchases/{reference}/webhooks',
  document: 'operators/webhooks.md',
  input: inputOf(purchaseFields),
  output: Type.Object({ id: Type.String(), webhooks: Type.Array(webhookOutput) }),
  run: async ({ sql }: Asking, named) =>
    await sql.transaction(
      async (tx) => {
        const purchase = await requirePurchase(tx, named);
        const owner = {
          merchantId: purchase.merchant_id,
          environment: purchase.environment,
          purchaseId: purchase.id,
        };
        const tried = (await listDeliveriesOfPurchase(tx, owner)).map(triedAnswer);
        const outcome = await findOutcome(tx, purchase);
        if (outcome === undefined) return { id: purchase.id, webhooks: tried };
        const stored = outcome.status === 'success' ? 'purchase.succeeded' : 'purchase.failed';
        const type = typeOf(stored, purchase.product);
        const isTried = ({ id }: EndpointBehind): boolean =>
          tried.some((one) => one.endpoint === id && one.event_id === purchase.id);
        const behind = (await listEndpointsBehind(tx, owner))
          .filter((one) => (one.types.length === 0 || one.types.includes(type)) && !isTried(one))
          .map((one) => behindAnswer(one, type, purchase.id));
        return { id: purchase.id, webhooks: [...tried, ...behind] };
      },
      { isolation: 'repeatable read', readOnly: true },
    ),
});

function triedAnswer(row: PurchaseDelivery) {
  const isHeld = row.state === 'waiting' && row.endpoint_state === 'disabled';
  return {
    ...row,
    endpoint: row.endpoint_id,
    endpoint_state: row.endpoint_state ?? 'deleted',
    delivery: row.id,
    state: isHeld ? 'held' : row.state,
    next_at: isHeld ? null : row.due_at,
  } as const;
}

function behindAnswer(endpoint: EndpointBehind, type: EventType, eventId: string) {
  const { id, state, due_at: at } = endpoint;
  return {
    ...endpoint,
    endpoint: id,
    endpoint_state: state,
    event_type: type,
    event_id: eventId,
    delivery: null,
    state: state === 'enabled' ? 'to_send' : 'held',
    tries: 0,
    next_at: at,
    tried_at: null,
    http_status: null,
    note: null,
    answer: null,
  } as const;
}
