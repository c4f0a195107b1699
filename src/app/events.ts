/** Composes the feed of events: its positions, and the purchases of its events. */
import type { KeyObject } from 'node:crypto';
import type { EventOperations } from '../api/dependencies.ts';
import { systemClock } from '../core/clock.ts';
import type { Logger } from '../core/log.ts';
import type { Database, Queries } from '../db/database.ts';
import { sharerOf } from '../merchants/merchant.ts';
import { FeedPolls } from '../notifications/events/poll-feed.ts';
import { withPurchases } from '../purchases/history/event-purchases.ts';

export type Events = EventOperations & {
  /** The number of waiting long-poll requests. */
  waiting(): number;
  close(): void;
};

type Parts = {
  readonly readsOf: (merchantId: number) => Queries;
  readonly database: Database;
  readonly pepper: KeyObject;
  readonly log: Logger;
};

export function createEvents({ readsOf, database, pepper, log }: Parts): Events {
  const polls = new FeedPolls({
    reads: readsOf,
    database,
    secret: pepper,
    clock: systemClock,
    onFailure: (error) => log.warn({ err: error }, 'cannot look for new events; trying again'),
  });
  return {
    poll: async (principal, question) => {
      const { merchant, environment } = principal;
      const owner = { merchantId: merchant.id, environment };
      const { events, ...answer } = await polls.poll({ ...owner, sharer: sharerOf(principal) }, question);
      return { ...answer, events: await withPurchases(readsOf(merchant.id), owner, events) };
    },
    waiting: () => polls.waiting,
    close: () => polls.close(),
  };
}
