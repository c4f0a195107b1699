/**
 * SQL of the webhooks of one purchase. Each statement is a few look-ups by key, because a merchant
 * has few endpoints and the event of an outcome has the id of its purchase.
 */
import type { Sql } from '../../db/database.ts';
import type { EventType, FeedOwner } from '../events/event.ts';
import { KEPT_DAYS } from '../events/event-store.ts';
import type { WebhookDelivery } from './endpoint.ts';

type PurchaseOwner = FeedOwner & { readonly purchaseId: string };

/** `url` is null after the endpoint was deleted. */
export type PurchaseDelivery = WebhookDelivery & {
  readonly url: string | null;
  readonly endpoint_state: 'enabled' | 'disabled' | null;
};

/** Lists the deliveries of a purchase, ordered by event and then by endpoint, oldest first. */
export async function listDeliveriesOfPurchase(
  sql: Sql,
  { merchantId, environment, purchaseId }: PurchaseOwner,
): Promise<PurchaseDelivery[]> {
  return await sql.query<PurchaseDelivery>(
    `with found as (
       select d.*
       from webhook_endpoints e
       cross join lateral (
         select *
         from webhook_deliveries
         where endpoint_id = e.id
         and event_id = $3
         limit 1
       ) d
       where e.merchant_id = $1
       and e.environment = $2
       union all
       select d.*
       from webhook_deliveries d
       where d.purchase_id = $3
       and d.purchase_id <> d.event_id
       and d.merchant_id = $1
       and d.environment = $2
     )
     select
       t.id, t.endpoint_id, t.event_id, t.event_type, t.state, t.due_at, t.tries, t.http_status, t.note, t.answer, t.duration_ms,
       t.tried_at, t.created_at, e.url, e.state as endpoint_state
     from found t
     left join webhook_endpoints e on e.id = t.endpoint_id
     order by t.event_at, t.endpoint_id, t.id`,
    [merchantId, environment, purchaseId],
  );
}

/** An endpoint whose position is before the event. */
export type EndpointBehind = {
  readonly id: string;
  readonly url: string;
  readonly state: 'enabled' | 'disabled';
  /** Empty for all types. */
  readonly types: readonly EventType[];
  /** When a paused endpoint is tried again; else null. */
  readonly due_at: Date | null;
};

/**
 * Lists the endpoints that have not reached the event of the purchase's outcome, within the
 * retention.
 */
export async function listEndpointsBehind(
  sql: Sql,
  { merchantId, environment, purchaseId }: PurchaseOwner,
): Promise<EndpointBehind[]> {
  return await sql.query<EndpointBehind>(
    // Materialized, so that the key of transfers is used whatever order the planner expects.
    `with moved as materialized (
       select id, created_at
       from transfers
       where merchant_id = $1
       and subject_id = $3
       and code in ('purchase_cost', 'purchase_margin', 'purchase_loss')
     ),
     placed as (
       (
         -- An event without a position gets the next one.
         select coalesce(position, 9223372036854775807) as position, at
         from events
         where merchant_id = $1
         and id = $3
       )
       union all
       (
         select id, created_at
         from moved
         order by id
         limit 1
       )
       limit 1
     )
     select e.id, e.url, e.state, e.types, case when e.lease_id is null then e.due_at end as due_at
     from placed p
     join webhook_endpoints e on e.position < p.position
     where e.merchant_id = $1
     and e.environment = $2
     and p.at > now() - $4 * interval '1 day'
     order by e.id`,
    [merchantId, environment, purchaseId, KEPT_DAYS],
  );
}
