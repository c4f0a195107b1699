/**
 * Reads a merchant's feed: its events in the order in which they were committed.
 *
 * Guarantees: an event never appears at or before a place that was given to a reader. Whoever takes
 * a place in a feed holds the lock of its wallet until the commit, so what is visible is all there
 * is up to the last event that is visible. Past that a place moves only up to where every
 * transaction that may have taken one has ended, as the horizon says.
 */
import type { Sql } from '../../db/database.ts';
import { type EventType, type FeedEvent, type FeedOwner, typeOf } from './event.ts';
import { readSlice, type StoredEvent } from './feed-store.ts';
import type { Horizon } from './horizon.ts';

export type FeedPage = {
  readonly events: readonly (FeedEvent & { readonly position: bigint })[];
  /** Where the next page begins. */
  readonly position: bigint;
  /** There may be more at once. A page may be empty and have more after it. */
  readonly more: boolean;
};

/** Events that nobody asked for are passed over, so more are read than are given. */
const READ_LEAST = 200;

export async function readFeed(
  sql: Sql,
  horizon: Horizon,
  owner: FeedOwner,
  page: {
    readonly after: bigint;
    readonly limit: number;
    /** Empty: all. */
    readonly types: readonly EventType[];
  },
): Promise<FeedPage> {
  const { after, limit, types } = page;
  // Before the slice is read: what has ended by then, the slice sees.
  const settled = await horizon.look();
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
