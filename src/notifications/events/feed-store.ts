/**
 * SQL that reads a merchant's feed. Successes are read from their transfers, all other events from
 * separate rows. Both take positions from one sequence under one lock, so no position is assigned
 * below one that is visible.
 *
 * Every statement is bounded: its cost does not grow with history.
 */
import type { Sql } from '../../db/database.ts';
import type { EventFacts, FeedOwner, StoredType } from './event.ts';
import { KEPT_DAYS } from './event-store.ts';

export type StoredEvent = {
  readonly position: bigint;
  readonly id: string;
  readonly type: StoredType;
  readonly purchase_id: string | null;
  readonly product: string | null;
  readonly facts: EventFacts | null;
  readonly at: Date;
};

export type FeedSlice = {
  /** In the order of the feed. */
  readonly events: readonly StoredEvent[];
  /** The last position up to which no event is missing; undefined when there are no more. */
  readonly cut: bigint | undefined;
};

/** Reads the events after a position (migrations/functions/read_feed.sql). */
const sliceStatement = {
  name: 'read_feed_slice',
  text: 'select * from read_feed($1, $2, $3, $4, $5)',
};

type SliceRow = Omit<StoredEvent, 'type'> & { readonly type: StoredType | 'moved' | 'placed' };

/** Reads the events after a position. `limit` bounds each kind: transfers and event rows. */
export async function readSlice(
  sql: Sql,
  { merchantId, environment }: FeedOwner,
  after: bigint,
  limit: number,
): Promise<FeedSlice> {
  const rows = await sql.query<SliceRow>(sliceStatement, [merchantId, environment, after, 2 * limit, limit]);
  let cut: bigint | undefined;
  const events: StoredEvent[] = [];
  for (const row of rows) {
    if (row.type !== 'moved' && row.type !== 'placed') events.push({ ...row, type: row.type });
    else if (cut === undefined || row.position < cut) cut = row.position;
  }
  return { events: cut === undefined ? events : events.filter(({ position }) => position <= cut), cut };
}

/** Returns a position before every event that is kept. */
export async function findFeedStart(sql: Sql): Promise<bigint> {
  const [row] = await sql.query<{ position: bigint }>(
    `select position
     from event_marks
     order by at < now() - $1 * interval '1 day' desc, case when at < now() - $1 * interval '1 day' then at end desc, at
     limit 1`,
    [KEPT_DAYS],
  );
  return row?.position ?? 0n;
}

/** Returns the id of the oldest running transaction: all with lower ids have ended. */
export async function readOldestTransactionId(sql: Sql): Promise<bigint> {
  const [row] = await sql.query<{ oldest: string }>({
    name: 'read_oldest_transaction',
    text: 'select pg_snapshot_xmin(pg_current_snapshot())::text as oldest',
  });
  return BigInt(row?.oldest ?? 0);
}

/**
 * Assigns a transaction id, which is higher than every id assigned before. A snapshot cannot
 * replace this: it only shows which transactions have ended.
 */
export async function assignTransactionId(sql: Sql): Promise<bigint> {
  const [row] = await sql.query<{ next: string }>({
    name: 'take_transaction_number',
    text: 'select pg_current_xact_id()::text as next',
  });
  return BigInt(row?.next ?? 0);
}

/** Returns the indexes of the waiting feeds that have events after their position. */
export async function findNews(
  sql: Sql,
  waiting: readonly (FeedOwner & { readonly after: bigint })[],
): Promise<number[]> {
  const rows = await sql.query<{ nth: bigint }>(
    {
      name: 'find_feed_news',
      text: `
        select w.nth
        from unnest($1::integer[], $2::text[], $3::bigint[]) with ordinality as w(merchant_id, environment, after, nth)
        where exists (
          select
          from transfers t
          where t.merchant_id = w.merchant_id
          and t.id > w.after
          limit 1
        )
        or exists (
          select
          from events e
          where e.merchant_id = w.merchant_id
          and e.environment = w.environment
          and e.position > w.after
          limit 1
        )`,
    },
    [
      waiting.map(({ merchantId }) => merchantId),
      waiting.map(({ environment }) => environment),
      waiting.map(({ after }) => after),
    ],
  );
  return rows.map(({ nth }) => Number(nth) - 1);
}
