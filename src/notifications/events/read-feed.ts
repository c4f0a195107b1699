/**
 * Reads a merchant's feed: its events in the order of their commits.
 *
 * Guarantees: no event ever appears at or before a position that a reader was given. A transaction
 * that assigns positions in a feed holds the lock of its wallet until it commits, so nothing is
 * missing up to the last visible event. Beyond that event a position moves only up to the commit
 * watermark.
 */
import type { Sql } from '../../db/database.ts';
import type { CommitWatermark } from './commit-watermark.ts';
import { type EventType, type FeedEvent, type FeedOwner, typeOf } from './event.ts';
import { readSlice, type StoredEvent } from './feed-store.ts';

export type FeedPage = {
  readonly events: readonly (FeedEvent & { readonly position: bigint })[];
  /** The position after which the next page begins. */
  readonly position: bigint;
  /** More may be available now. An empty page can have more after it. */
  readonly more: boolean;
};

/** The minimum number of events read, because those of other types are skipped. */
const READ_LEAST = 200;

export async function readFeed(
  sql: Sql,
  watermark: CommitWatermark,
  owner: FeedOwner,
  page: {
    readonly after: bigint;
    readonly limit: number;
    /** Empty for all types. */
    readonly types: readonly EventType[];
  },
): Promise<FeedPage> {
  const { after, limit, types } = page;
  // Read before the slice, so that the slice includes everything committed below the watermark.
  const settled = await watermark.read();
  const { events, cut } = await readSlice(sql, owner, after, Math.max(limit, READ_LEAST));
  const wanted = events.map(toEvent).filter(({ type }) => types.length === 0 || types.includes(type));
  const given = wanted.slice(0, limit);
  const last = given.at(-1);
  if (last !== undefined && wanted.length > limit)
    return { events: given, position: last.position, more: true };
  const seen = events.at(-1)?.position ?? after;
  const reach = cut !== undefined && cut < settled ? cut : settled;
  let position = seen;
  if (reach > position) position = reach;
  return { events: given, position, more: cut !== undefined && position > after };
}

function toEvent({ purchase_id, facts, product, type, ...event }: StoredEvent): FeedEvent & {
  readonly type: EventType;
  readonly position: bigint;
} {
  return {
    ...event,
    type: typeOf(type, product),
    purchaseId: purchase_id ?? undefined,
    facts: facts ?? undefined,
  };
}
