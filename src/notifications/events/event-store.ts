/**
 * The SQL of events that are stored as rows: they are added, given their place in the feed, and
 * deleted when they are old. The functions that make a purchase final add theirs themselves
 * (migrations/functions).
 */

import { newId } from '../../core/ids.ts';
import type { Sql, Tx } from '../../db/database.ts';
import type { EventFacts, FeedOwner, StoredType } from './event.ts';

/** How long events are kept, in days. */
export const KEPT_DAYS = 30;

export type NewEvent = {
  /** Of an event that must not be told twice, though its transaction may be repeated. */
  readonly id?: string;
  readonly type: StoredType;
  readonly purchaseId?: string;
  readonly facts?: EventFacts;
};

/** In the transaction of what it tells. A job gives it its place in the feed, within a second. */
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

/** Whose events wait for their place: each feed is one step in the index, however many it has. */
export async function findUnplaced(sql: Sql, limit: number): Promise<FeedOwner[]> {
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
 * Gives the events of one feed their places, in a transaction of its own. The lock of the wallet
 * comes first, as in every batch of purchases: a place below one that is visible is never taken.
 */
export async function placeEvents(tx: Tx, { merchantId, environment }: FeedOwner): Promise<number> {
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
 * Whoever takes a place in a feed holds this lock: it is that of the wallet that purchases of the
 * environment are paid from.
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

/** The end of a feed: all that is committed later has a place after it. */
export async function lockFeedEnd(tx: Tx, owner: FeedOwner): Promise<bigint> {
  await lockFeed(tx, owner);
  return await lastPosition(tx);
}

/** The last place that was given to anybody, in any feed. */
export async function lastPosition(sql: Sql): Promise<bigint> {
  const [row] = await sql.query<{ last: bigint }>({
    name: 'last_feed_position',
    text: "select coalesce(pg_sequence_last_value('transfers_id_seq'), 0) as last",
  });
  return row?.last ?? 0n;
}

/** Notes once an hour how far places have got, so that the feed knows where it begins. */
export async function markPositions(sql: Sql): Promise<void> {
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

/** Deletes some of what is older than is kept, and gives how many rows. */
export async function deleteOldEvents(sql: Sql, limit: number): Promise<number> {
  const gone = await sql.query(
    `delete from events
     where ctid = any(array(
       select ctid
       from events
       where at < now() - $1 * interval '1 day'
       limit $2
     ))
     returning 1`,
    [KEPT_DAYS, limit],
  );
  return gone.length;
}

/** The newest mark that is too old stays: the feed begins there. */
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
