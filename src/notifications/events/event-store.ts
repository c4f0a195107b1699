/**
 * SQL of events that are stored as rows: adds them, assigns their positions in the feed, and
 * deletes old ones. The database functions that make a purchase final insert their own events
 * (migrations/functions).
 */

import { newId } from '../../core/ids.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { cellOf } from '../../db/in-each-cell.ts';
import type { EventFacts, FeedOwner, StoredType } from './event.ts';

/** How long events are kept, in days. */
export const KEPT_DAYS = 30;

export type NewEvent = {
  /** Given for an event that must be stored once although its transaction may be repeated. */
  readonly id?: string;
  readonly type: StoredType;
  readonly purchaseId?: string;
  readonly facts?: EventFacts;
};

/**
 * Adds an event in the transaction of the change that it reports. A job assigns its position within
 * a second.
 */
export async function insertEvent(tx: Tx, owner: FeedOwner, event: NewEvent): Promise<void> {
  await tx.query(
    `insert into events (merchant_id, environment, id, type, purchase_id, facts)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (merchant_id, id) do nothing`,
    [
      owner.merchantId,
      owner.environment,
      event.id ?? newId(),
      event.type,
      event.purchaseId ?? null,
      event.facts === undefined ? null : JSON.stringify(event.facts),
    ],
  );
}

/**
 * Finds the feeds with events that have no position. The recursion takes one index step a feed,
 * however many events a feed has.
 */
export async function findUnpositionedFeeds(sql: Sql, limit: number): Promise<FeedOwner[]> {
  return await sql.query<FeedOwner>(
    `with recursive feeds as (
       (
         select merchant_id, environment
         from events
         where position is null
         order by merchant_id, environment
         limit 1
       )
       union all
       select e.merchant_id, e.environment
       from feeds f
       cross join lateral (
         select merchant_id, environment
         from events
         where position is null
         and (merchant_id, environment) > (f.merchant_id, f.environment)
         order by merchant_id, environment
         limit 1
       ) as e
     )
     select merchant_id as "merchantId", environment
     from feeds
     limit $1`,
    [limit],
  );
}

/**
 * Assigns positions to the events of one feed and returns how many. The lock of the wallet is taken
 * first, as in every batch of purchases, so no position is assigned below one that is visible.
 */
export async function assignPositions(tx: Tx, { merchantId, environment }: FeedOwner): Promise<number> {
  await lockFeed(tx, { merchantId, environment });
  const placed = await tx.query(
    `update events e
     set position = nextval('transfers_id_seq')
     from (
       select id
       from events
       where merchant_id = $1
       and environment = $2
       and position is null
       order by at, id
       limit 1000
       for update skip locked
     ) as u
     where e.merchant_id = $1
     and e.id = u.id
     returning 1`,
    [merchantId, environment],
  );
  return placed.length;
}

/**
 * Locks a feed for assigning positions. The lock is the one of the wallet that pays for purchases
 * of the environment.
 */
async function lockFeed(tx: Tx, { merchantId, environment }: FeedOwner): Promise<void> {
  await tx.query(
    `select 1
     from wallet_owners
     where merchant_id = $1
     and environment = $2
     and currency = 'NGN'
     for update`,
    [merchantId, environment],
  );
}

/** Returns the end of a feed. Everything that is committed later gets a higher position. */
export async function lockFeedEnd(tx: Tx, owner: FeedOwner): Promise<bigint> {
  await lockFeed(tx, owner);
  return await readLastPosition(await cellOf(tx, owner.merchantId));
}

/** Returns the last position that was assigned in any feed. */
export async function readLastPosition(sql: Sql): Promise<bigint> {
  const [row] = await sql.query<{ last: bigint }>({
    name: 'last_feed_position',
    text: "select coalesce(pg_sequence_last_value('transfers_id_seq'), 0) as last",
  });
  return row?.last ?? 0n;
}

/**
 * Records the last position once an hour. The feed begins at the newest record that is older than
 * the retention.
 */
export async function recordFeedMark(sql: Sql): Promise<void> {
  await sql.query(
    `insert into event_marks (position)
     select coalesce(pg_sequence_last_value('transfers_id_seq'), 0)
     where not exists (
       select
       from event_marks
       where at > now() - interval '1 hour'
     )
     on conflict (at) do nothing`,
  );
}

/**
 * Deletes about `limit` expired events and returns how many. Partitions have the same row
 * addresses, so the condition is repeated.
 */
export async function deleteOldEvents(sql: Sql, limit: number): Promise<number> {
  const gone = await sql.query(
    `delete from events
     where ctid = any(array(
       select ctid
       from events
       where at < now() - $1 * interval '1 day'
       limit $2
     ))
     and at < now() - $1 * interval '1 day'
     returning 1`,
    [KEPT_DAYS, limit],
  );
  return gone.length;
}

/** The position where the feed of the merchant begins: earlier events are deleted. */
export async function readFeedStart(sql: Sql): Promise<bigint> {
  const [row] = await sql.query<{ start: bigint }>(`select ${feedStart('$1')} as start`, [KEPT_DAYS]);
  return row?.start ?? 0n;
}

/** The same, in a statement on the cell. */
export function feedStart(keptDays: string): string {
  return `coalesce((
         select max(m.position)
         from event_marks m
         where m.at < now() - ${keptDays} * interval '1 day'
       ), 0)`;
}

/** Deletes expired marks except the newest one, where the feed begins. */
export async function deleteOldMarks(sql: Sql): Promise<void> {
  await sql.query(
    `delete from event_marks
     where at < (
       select max(at)
       from event_marks
       where at < now() - $1 * interval '1 day'
     )`,
    [KEPT_DAYS],
  );
}
