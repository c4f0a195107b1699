/**
 * Long polling of a merchant's feed: answers as soon as there are events, or when the wait is over.
 */

import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import type { Environment } from '../../core/environment.ts';
import { GatewayError } from '../../core/errors.ts';
import { FairGate, type Sharer } from '../../core/fair-gate.ts';
import { limits } from '../../core/limits.ts';
import type { Queries, Sql } from '../../db/database.ts';
import { CommitWatermark } from './commit-watermark.ts';
import type { EventType, FeedEvent, FeedOwner } from './event.ts';
import { readLastPosition } from './event-store.ts';
import { createFeedCursors, type FeedCursors } from './feed-cursor.ts';
import { findFeedStart, findNews } from './feed-store.ts';
import { readFeed } from './read-feed.ts';

const TICK_MS = 250;

type Waiter = FeedOwner & { readonly after: bigint; readonly done: () => void };

/**
 * The polls that wait for events. One query per tick finds the feeds that have any, so a waiting
 * poll costs almost nothing and holds no connection.
 */
class FeedWaiters {
  readonly #sql: Sql;
  readonly #onFailure: (error: unknown) => void;
  readonly #waiting = new Set<Waiter>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(sql: Sql, onFailure: (error: unknown) => void) {
    this.#sql = sql;
    this.#onFailure = onFailure;
  }

  get size(): number {
    return this.#waiting.size;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves when there may be events after the position, after `leftMs`, or when this closes. */
  async wait(owner: FeedOwner, after: bigint, leftMs: number, signal: AbortSignal): Promise<void> {
    if (this.#isClosed || leftMs <= 0 || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { ...owner, after, done: resolve };
    this.#waiting.add(waiter);
    this.#timer ??= setTimeout(() => void this.#check(), TICK_MS);
    const late = setTimeout(resolve, leftMs);
    signal.addEventListener('abort', () => resolve(), { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(late);
      this.#waiting.delete(waiter);
    }
  }

  /** Ends every wait. */
  close(): void {
    this.#isClosed = true;
    for (const { done } of this.#waiting) done();
  }

  async #check(): Promise<void> {
    const waiting = [...this.#waiting];
    try {
      for (const nth of waiting.length > 0 ? await findNews(this.#sql, waiting) : []) waiting[nth]?.done();
    } catch (error) {
      this.#onFailure(error);
    }
    const goesOn = this.#waiting.size > 0 && !this.#isClosed;
    this.#timer = goesOn ? setTimeout(() => void this.#check(), TICK_MS) : undefined;
  }
}

const SETTLED_WITHIN_MS = 2_000;

export type PollRequest = {
  /** A cursor; `latest` is the end of the feed; absent, its beginning. */
  readonly after: string | undefined;
  readonly types: readonly EventType[];
  readonly limit: number;
  /** How long the poll may wait. */
  readonly waitMs: number;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
};

export type PollPage = {
  readonly events: readonly FeedEvent[];
  readonly cursor: string;
  readonly more: boolean;
};

type PollOwner = FeedOwner & { readonly sharer: Sharer<Environment> };

type Parts = {
  readonly reads: (merchantId: number) => Queries;
  readonly database: Queries;
  readonly secret: KeyObject;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
};

export class FeedPolls {
  readonly #parts: Parts;
  readonly #cursors: FeedCursors;
  readonly #watermark: CommitWatermark;
  readonly #waiters: FeedWaiters;
  readonly #slots = new FairGate(limits.eventPolls);

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#watermark = new CommitWatermark(parts.database);
    this.#cursors = createFeedCursors(parts.secret);
    this.#waiters = new FeedWaiters(parts.database, parts.onFailure);
  }

  /** The number of waiting polls. */
  get waiting(): number {
    return this.#waiters.size;
  }

  /**
   * Answers a poll. Throws GatewayError: `event_cursor_unknown`, `event_cursor_expired`,
   * `event_polls_full`.
   */
  async poll(owner: PollOwner, request: PollRequest): Promise<PollPage> {
    const { types, limit, waitMs, signal } = request;
    const sql = this.#parts.reads(owner.merchantId);
    const untilMs = performance.now() + waitMs;
    let after = await this.#positionOf(sql, owner, request.after);
    for (;;) {
      const page = await readFeed(sql, this.#watermark, owner, { after, limit, types });
      after = page.position;
      const leftMs = untilMs - performance.now();
      const isOver = leftMs <= 0 || signal.aborted || this.#waiters.isClosed;
      if (page.events.length > 0 || isOver) {
        const cursor = this.#cursors.make(owner, after, this.#parts.clock.now());
        return { events: page.events, cursor, more: page.more };
      }
      if (!page.more) await this.#wait(owner, after, leftMs, signal);
    }
  }

  /** Answers all waiting polls at once, for the end of the process. */
  close(): void {
    this.#waiters.close();
  }

  async #positionOf(sql: Queries, owner: PollOwner, after: string | undefined): Promise<bigint> {
    if (after === undefined) return await findFeedStart(sql);
    if (after === 'latest') return await this.#findEnd(sql);
    const position = this.#cursors.read(owner, after, this.#parts.clock.now());
    if (position === 'forged') throw new GatewayError({ code: 'event_cursor_unknown' });
    if (position === 'expired') throw new GatewayError({ code: 'event_cursor_expired' });
    return position;
  }

  /** Returns a position before everything that is committed after the request. */
  async #findEnd(sql: Queries): Promise<bigint> {
    const wanted = await readLastPosition(sql);
    const untilMs = performance.now() + SETTLED_WITHIN_MS;
    for (;;) {
      const settled = await this.#watermark.read();
      // A long transaction holds the watermark back: then some earlier events are returned too.
      if (settled >= wanted) return settled;
      if (performance.now() > untilMs) return settled > 0n ? settled : await findFeedStart(sql);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #wait(owner: PollOwner, after: bigint, leftMs: number, signal: AbortSignal): Promise<void> {
    const leave = this.#slots.tryEnter(owner.sharer);
    if (leave === undefined) throw new GatewayError({ code: 'event_polls_full' });
    try {
      await this.#waiters.wait(owner, after, leftMs, signal);
    } finally {
      leave();
    }
  }
}
