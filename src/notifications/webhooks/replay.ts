/** Replays deliveries of an endpoint and sends test events. */

import type { ActorOrName } from '../../core/actor.ts';
import { GatewayError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Tx } from '../../db/database.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { testType } from '../events/event.ts';
import type {
  EndpointOwner,
  EndpointRow,
  Replayed,
  WebhookDelivery,
  WebhookDeliveryState,
} from './endpoint.ts';
import { requireEndpoint } from './require-endpoint.ts';
import {
  findWebhookDelivery,
  insertDueDelivery,
  replayDeliveries,
  replayDelivery,
} from './webhook-delivery-store.ts';

/**
 * Replays one delivery, which must be of `endpointId` if that is given. Throws GatewayError:
 * `no_webhook_delivery`, `no_endpoint`, `endpoint_disabled`.
 */
export async function replayOne(
  tx: Tx,
  owner: EndpointOwner,
  id: string,
  actor: ActorOrName,
  endpointId?: string,
): Promise<WebhookDelivery> {
  const found = await findWebhookDelivery(tx, owner, id);
  if (found === undefined || (endpointId !== undefined && found.endpoint_id !== endpointId))
    throw new GatewayError({ code: 'no_webhook_delivery' });
  requireEnabled(await requireEndpoint(tx, owner, found.endpoint_id));
  const delivery = await replayDelivery(tx, owner, id);
  if (delivery === undefined) throw new GatewayError({ code: 'no_webhook_delivery' });
  await recordOperation(tx, {
    actor,
    action: 'webhook.replay',
    subject: `webhook:${found.endpoint_id}`,
    before: { delivery: id, state: found.state, tries: found.tries },
  });
  return delivery;
}

/** The most deliveries of one call. A further call replays the rest of the range. */
const REPLAYED_MAX = 10_000;

/**
 * Replays the deliveries that were first tried within a range, oldest first. The endpoint must be
 * locked. Throws GatewayError `endpoint_disabled`.
 */
export async function replayRange(
  tx: Tx,
  { id, merchant_id: merchantId, state }: Pick<EndpointRow, 'id' | 'merchant_id' | 'state'>,
  range: { readonly from: Date; readonly to: Date; readonly states: readonly WebhookDeliveryState[] },
  actor: ActorOrName,
): Promise<Replayed> {
  requireEnabled({ state });
  const done = await replayDeliveries(tx, { merchantId, endpointId: id, ...range, limit: REPLAYED_MAX });
  await recordOperation(tx, {
    actor,
    action: 'webhook.replay',
    subject: `webhook:${id}`,
    after: { from: range.from, to: range.to, states: range.states, replayed: done.replayed },
  });
  return done;
}

/** Sends a test event. Throws GatewayError: `no_endpoint`, `endpoint_disabled`. */
export async function sendTest(
  tx: Tx,
  owner: EndpointOwner,
  endpointId: string,
  actor: ActorOrName,
): Promise<{ readonly deliveryId: string; readonly eventId: string }> {
  requireEnabled(await requireEndpoint(tx, owner, endpointId));
  const [deliveryId, eventId] = [newId(), newId()];
  await insertDueDelivery(tx, owner, { id: deliveryId, endpointId, eventId, type: testType });
  await recordOperation(tx, {
    actor,
    action: 'webhook.test',
    subject: `webhook:${endpointId}`,
    after: { delivery: deliveryId },
  });
  return { deliveryId, eventId };
}

function requireEnabled({ state }: Pick<EndpointRow, 'state'>): void {
  if (state !== 'enabled') throw new GatewayError({ code: 'endpoint_disabled' });
}
