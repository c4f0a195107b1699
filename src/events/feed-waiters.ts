/**
 * Readers that wait for news of their feeds. One query a tick tells of all of them which has any,
 * so a reader that waits costs next to nothing, and holds no connection.
 */
import type { Sql } from '../db/database.ts';
import type { FeedOwner } from './event.ts';
import { findNews } from './feed-store.ts';

const TICK_MS = 250;

type Waiter = FeedOwner & { readonly after: bigint; readonly done: () => void };

export class FeedWaiters {
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
