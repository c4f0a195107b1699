/** Adds the purchases to events, which carry only their ids. */
import type { Sql } from '../../db/database.ts';
import type { FeedEvent, FeedOwner } from '../../notifications/events/event.ts';
import type { Purchase } from '../state/purchase.ts';
import { findPurchasesByIds } from './purchase-store.ts';

/** Adds the purchases to events, in the same order. Sealed goods stay sealed. */
export async function withPurchases(
  sql: Sql,
  owner: FeedOwner,
  events: readonly FeedEvent[],
): Promise<{ readonly event: FeedEvent; readonly purchase: Purchase | undefined }[]> {
  const ids = events.flatMap(({ purchaseId }) => (purchaseId === undefined ? [] : [purchaseId]));
  const purchases = ids.length === 0 ? [] : await findPurchasesByIds(sql, owner, [...new Set(ids)]);
  const byId = new Map(purchases.map((purchase) => [purchase.id, purchase]));
  return events.map((event) => ({
    event,
    purchase: event.purchaseId === undefined ? undefined : byId.get(event.purchaseId),
  }));
}
