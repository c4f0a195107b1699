/** SQL of deliveries to endpoints: lists, replays and deletes them. */
import type { Sql, Tx } from '../../db/database.ts';
import type { EventFacts, FeedEvent, FeedOwner } from '../events/event.ts';
import { KEPT_DAYS } from '../events/event-store.ts';
import type { Replayed, WebhookDelivery, WebhookDeliveryState } from './endpoint.ts';

const columns = `
  id, endpoint_id, event_id, event_type, state, due_at, tries, http_status, note, answer, duration_ms, tried_at, created_at`;

/** Lists deliveries, newest first. */
export async function listWebhookDeliveries(
  sql: Sql,
  { merchantId, environment }: FeedOwner,
  filter: {
    readonly endpointId: string | undefined;
    readonly state: WebhookDeliveryState | undefined;
    /** Only this delivery. */
    readonly id?: string | undefined;
    /** The last delivery of the page before. */
    readonly before: string | undefined;
    readonly limit: number;
  },
): Promise<WebhookDelivery[]> {
  return await sql.query<WebhookDelivery>(
    `select ${columns}
     from webhook_deliveries
     where merchant_id = $1
     and environment = $2
     ${filter.state === undefined ? 'and $3::text is null' : 'and state = $3'}
     and ($4::uuid is null or endpoint_id = $4)
     and ($5::uuid is null or id < $5)
     ${filter.id === undefined ? 'and $7::uuid is null' : 'and id = $7'}
     order by id desc
     limit $6`,
    [
      merchantId,
      environment,
      filter.state ?? null,
      filter.endpointId ?? null,
      filter.before ?? null,
      filter.limit,
      filter.id ?? null,
    ],
  );
}

export async function findWebhookDelivery(
  sql: Sql,
  { merchantId, environment }: FeedOwner,
  id: string,
): Promise<WebhookDelivery | undefined> {
  const [row] = await sql.query<WebhookDelivery>(
    `select ${columns}
     from webhook_deliveries
     where merchant_id = $1
     and environment = $2
     and id = $3`,
    [merchantId, environment, id],
  );
  return row;
}

/** Finds a delivery of an endpoint, with its event. */
export async function findDeliveryEvent(
  sql: Sql,
  { merchantId, environment }: FeedOwner,
  named: { readonly endpointId: string; readonly id: string },
): Promise<{ readonly delivery: WebhookDelivery; readonly event: FeedEvent } | undefined> {
  const [row] = await sql.query<
    WebhookDelivery & {
      readonly purchase_id: string | null;
      readonly event_at: Date;
      readonly facts: EventFacts | null;
    }
  >(
    `select ${columns}, purchase_id, event_at, (
       select e.facts
       from events e
       where e.merchant_id = d.merchant_id
       and e.id = d.event_id
     ) as facts
     from webhook_deliveries d
     where merchant_id = $1
     and environment = $2
     and endpoint_id = $3
     and id = $4`,
    [merchantId, environment, named.endpointId, named.id],
  );
  if (row === undefined) return undefined;
  const { purchase_id: purchaseId, event_at: at, facts, ...delivery } = row;
  const { event_id: id, event_type: type } = delivery;
  return {
    delivery,
    event: { id, type, purchaseId: purchaseId ?? undefined, at, facts: facts ?? undefined },
  };
}

/** Lists the deliveries of an event. An owner has few endpoints, so each is looked up. */
export async function listDeliveriesOfEvent(
  sql: Sql,
  { merchantId, environment }: FeedOwner,
  eventId: string,
): Promise<WebhookDelivery[]> {
  return await sql.query<WebhookDelivery>(
    `select d.*
     from webhook_endpoints e
     cross join lateral (
       select ${columns}
       from webhook_deliveries
       where endpoint_id = e.id
       and event_id = $3
       limit 1
     ) d
     where e.merchant_id = $1
     and e.environment = $2
     order by d.id`,
    [merchantId, environment, eventId],
  );
}

/** Makes a delivery due with the same event id, and starts its pauses again. */
export async function replayDelivery(
  tx: Tx,
  { merchantId, environment }: FeedOwner,
  id: string,
): Promise<WebhookDelivery | undefined> {
  const [row] = await tx.query<WebhookDelivery>(
    `update webhook_deliveries
     set state = 'waiting', due_at = now(), tries = 0
     where merchant_id = $1
     and environment = $2
     and id = $3
     returning ${columns}`,
    [merchantId, environment, id],
  );
  return row;
}

/** Replays the deliveries of an endpoint that were first tried within a range, oldest first. */
export async function replayDeliveries(
  tx: Tx,
  range: {
    readonly merchantId: number;
    readonly endpointId: string;
    readonly from: Date;
    readonly to: Date;
    readonly states: readonly WebhookDeliveryState[];
    readonly limit: number;
  },
): Promise<Replayed> {
  const [row] = await tx.query<Replayed>(
    `with found as materialized (
       select ctid as place, created_at, id
       from webhook_deliveries
       where merchant_id = $6
       and endpoint_id = $1
       and created_at >= $2
       and created_at < $3
       and state = any($4::text[])
       order by created_at, id
       limit $5 + 1
       for update
     ),
     replayed as (
       update webhook_deliveries
       set state = 'waiting', due_at = now(), tries = 0
       where merchant_id = $6
       and ctid = any(array(
         select place
         from found
         order by created_at, id
         limit $5
       ))
       returning 1
     )
     select
       (select count(*) from replayed)::integer as replayed,
       (select created_at from found order by created_at, id offset $5) as next`,
    [range.endpointId, range.from, range.to, range.states, range.limit, range.merchantId],
  );
  return row ?? { replayed: 0, next: null };
}

/** Inserts a due delivery of an event that goes to one endpoint only. */
export async function insertDueDelivery(
  tx: Tx,
  { merchantId, environment }: FeedOwner,
  delivery: {
    readonly id: string;
    readonly endpointId: string;
    readonly eventId: string;
    readonly type: FeedEvent['type'];
  },
): Promise<void> {
  await tx.query(
    `insert into webhook_deliveries (merchant_id, environment, id, endpoint_id, event_id, event_type, event_at, state, due_at)
     values ($1, $2, $3, $4, $5, $6, now(), 'waiting', now())`,
    [merchantId, environment, delivery.id, delivery.endpointId, delivery.eventId, delivery.type],
  );
}

/** Deletes up to `limit` expired deliveries and returns how many. */
export async function deleteOldDeliveries(sql: Sql, limit: number): Promise<number> {
  const gone = await sql.query(
    `delete from webhook_deliveries
     where ctid = any(array(
       select ctid
       from webhook_deliveries
       where created_at < now() - $1 * interval '1 day'
       limit $2
     ))
     returning 1`,
    [KEPT_DAYS, limit],
  );
  return gone.length;
}

/**
 * Moves the due times of a merchant's test endpoints forward, and moves their failure times and
 * ends of old secrets back by the same time. Returns how many deliveries it moved.
 */
export async function moveTestWebhooks(tx: Tx, merchantId: number, advanceS: number): Promise<number> {
  // Endpoints are locked first, as in a round: a running try is stored before or after all of this.
  await tx.query(
    `update webhook_endpoints
     set
       due_at = case
         when lease_id is null and due_at > now() then greatest(due_at - $2 * interval '1 second', now())
         else due_at
       end,
       failing_since = failing_since - $2 * interval '1 second',
       old_secret_ends_at = old_secret_ends_at - $2 * interval '1 second'
     where merchant_id = $1
     and environment = 'test'`,
    [merchantId, advanceS],
  );
  const rows = await tx.query(
    `update webhook_deliveries
     set due_at = greatest(due_at - $2 * interval '1 second', now())
     where merchant_id = $1
     and environment = 'test'
     and due_at > now()
     returning 1`,
    [merchantId, advanceS],
  );
  return rows.length;
}
