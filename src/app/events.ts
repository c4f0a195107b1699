/** Composes the feed of events: its positions, and the purchases of its events. */
import type { KeyObject } from 'node:crypto';
import type { EventOperations } from '../api/dependencies.ts';
import type { ToldEvent } from '../api/plumbing/event-answer.ts';
import { systemClock } from '../core/clock.ts';
import type { Logger } from '../core/log.ts';
import type { Sql } from '../db/database.ts';
import { sharerOf } from '../merchants/merchant.ts';
import type { FeedEvent, FeedOwner } from '../notifications/events/event.ts';
import { FeedPolls } from '../notifications/events/poll-feed.ts';
import { findPurchasesByIds } from '../purchases/history/purchase-store.ts';
import type { Databases } from './open-databases.ts';

export type Events = EventOperations & {
  /** The number of waiting long-poll requests. */
  waiting(): number;
  close(): void;
};

type Parts = {
  readonly databases: Pick<Databases, 'readsOf' | 'work'>;
  readonly pepper: KeyObject;
  readonly log: Logger;
};

export function createEvents({ databases, pepper, log }: Parts): Events {
  const polls = new FeedPolls({
    reads: (merchantId) => databases.readsOf(merchantId),
    database: databases.work,
    secret: pepper,
    clock: systemClock,
    onFailure: (error) => log.warn({ err: error }, 'cannot look for new events; trying again'),
  });
  return {
    poll: async (principal, question) => {
      const { merchant, environment } = principal;
      const owner = { merchantId: merchant.id, environment };
      const { events, ...answer } = await polls.poll({ ...owner, sharer: sharerOf(principal) }, question);
      return { ...answer, events: await withPurchases(databases.readsOf(merchant.id), owner, events) };
    },
    waiting: () => polls.waiting,
    close: () => polls.close(),
  };
}

/** Adds the purchases to events, in the same order. Sealed goods stay sealed. */
export async function withPurchases(
  sql: Sql,
  owner: FeedOwner,
  events: readonly FeedEvent[],
): Promise<ToldEvent[]> {
  const ids = events.flatMap(({ purchaseId }) => (purchaseId === undefined ? [] : [purchaseId]));
  const purchases = ids.length === 0 ? [] : await findPurchasesByIds(sql, owner, [...new Set(ids)]);
  const byId = new Map(purchases.map((purchase) => [purchase.id, purchase]));
  return events.map((event) => ({
    event,
    purchase: event.purchaseId === undefined ? undefined : byId.get(event.purchaseId),
  }));
}
