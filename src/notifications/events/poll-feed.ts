/**
 * A merchant's question for its events: answered at once where there are some, else when there are,
 * or when it has waited long enough.
 */

import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import type { Environment } from '../../core/environment.ts';
import { GatewayError } from '../../core/errors.ts';
import { FairGate, type Sharer } from '../../core/fair-gate.ts';
import { limits } from '../../core/limits.ts';
import type { Queries, Sql } from '../../db/database.ts';
import type { EventType, FeedEvent, FeedOwner } from './event.ts';
import { lastPosition } from './event-store.ts';
import { createFeedCursors, type FeedCursors } from './feed-cursor.ts';
import { findNews, firstPosition } from './feed-store.ts';
import { Horizon } from './horizon.ts';
import { readFeed } from './read-feed.ts';

const TICK_MS = 250;

type Waiter = FeedOwner & { readonly after: bigint; readonly done: () => void };

/**
 * Readers that wait for news of their feeds. One query a tick tells which of them have any, so a
 * reader that waits costs next to nothing and holds no connection.
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

  /** Resolves when there may be news after the place, after `leftMs`, or when it closes. */
  async wait(owner: FeedOwner, after: bigint, leftMs: number, signal: AbortSignal): Promise<void> {
    if (this.#isClosed || leftMs <= 0 || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { ...owner, after, done: resolve };
    this.#waiting.add(waiter);
    this.#timer ??= setTimeout(() => void this.#look(), TICK_MS);
    const late = setTimeout(resolve, leftMs);
    signal.addEventListener('abort', () => resolve(), { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(late);
      this.#waiting.delete(waiter);
    }
  }

  /** Nobody waits any more. */
  close(): void {
    this.#isClosed = true;
    for (const { done } of this.#waiting) done();
  }

  async #look(): Promise<void> {
    const waiting = [...this.#waiting];
    try {
      for (const nth of waiting.length > 0 ? await findNews(this.#sql, waiting) : []) waiting[nth]?.done();
    } catch (error) {
      this.#onFailure(error);
    }
    const goesOn = this.#waiting.size > 0 && !this.#isClosed;
    this.#timer = goesOn ? setTimeout(() => void this.#look(), TICK_MS) : undefined;
  }
}

const SETTLED_WITHIN_MS = 2_000;

export type FeedQuestion = {
  /** A cursor; `latest` is the end of the feed. Absent: its beginning. */
  readonly after: string | undefined;
  readonly types: readonly EventType[];
  readonly limit: number;
  /** How long it may wait. */
  readonly waitMs: number;
  /** Whoever asked has gone. */
  readonly signal: AbortSignal;
};

export type FeedAnswer = {
  readonly events: readonly FeedEvent[];
  readonly cursor: string;
  readonly more: boolean;
};

type Asker = FeedOwner & { readonly sharer: Sharer<Environment> };

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
  readonly #horizon: Horizon;
  readonly #waiters: FeedWaiters;
  readonly #places = new FairGate(limits.eventPolls);

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#horizon = new Horizon(parts.database);
    this.#cursors = createFeedCursors(parts.secret);
    this.#waiters = new FeedWaiters(parts.database, parts.onFailure);
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiters.size;
  }

  /** Throws GatewayError: `event_cursor_unknown`, `event_cursor_expired`, `event_polls_full`. */
  async poll(asker: Asker, question: FeedQuestion): Promise<FeedAnswer> {
    const { types, limit, waitMs, signal } = question;
    const sql = this.#parts.reads(asker.merchantId);
    const untilMs = performance.now() + waitMs;
    let after = await this.#placeOf(sql, asker, question.after);
    for (;;) {
      const page = await readFeed(sql, this.#horizon, asker, { after, limit, types });
      after = page.position;
      const leftMs = untilMs - performance.now();
      const isOver = leftMs <= 0 || signal.aborted || this.#waiters.isClosed;
      if (page.events.length > 0 || isOver) {
        const cursor = this.#cursors.make(asker, after, this.#parts.clock.now());
        return { events: page.events, cursor, more: page.more };
      }
      if (!page.more) await this.#wait(asker, after, leftMs, signal);
    }
  }

  /** For the end of the process: those that wait are answered at once. */
  close(): void {
    this.#waiters.close();
  }

  async #placeOf(sql: Queries, asker: Asker, after: string | undefined): Promise<bigint> {
    if (after === undefined) return await firstPosition(sql);
    if (after === 'latest') return await this.#findEnd(sql);
    const place = this.#cursors.read(asker, after, this.#parts.clock.now());
    if (place === 'forged') throw new GatewayError({ code: 'event_cursor_unknown' });
    if (place === 'expired') throw new GatewayError({ code: 'event_cursor_expired' });
    return place;
  }

  /** All that is committed after the question has a place after it. */
  async #findEnd(sql: Queries): Promise<bigint> {
    const wanted = await lastPosition(sql);
    const untilMs = performance.now() + SETTLED_WITHIN_MS;
    for (;;) {
      const settled = await this.#horizon.look();
      // Where somebody is at it for long, some events of before the question come as well.
      if (settled >= wanted) return settled;
      if (performance.now() > untilMs) return settled > 0n ? settled : await firstPosition(sql);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #wait(asker: Asker, after: bigint, leftMs: number, signal: AbortSignal): Promise<void> {
    const leave = this.#places.tryEnter(asker.sharer);
    if (leave === undefined) throw new GatewayError({ code: 'event_polls_full' });
    try {
      await this.#waiters.wait(asker, after, leftMs, signal);
    } finally {
      leave();
    }
  }
}
