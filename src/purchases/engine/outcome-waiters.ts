/**
 * Sync requests that wait for an outcome from elsewhere: a worker, here or in another process, or a
 * query. Outcomes of this process are reported directly. For the others, one statement per tick
 * reads which purchases are final. Guarantees: a tick reads a limited number, live ones first, and
 * each less often the longer it has waited. So thousands of waiters cost the database little.
 */

import type { Caller } from '../../core/caller.ts';
import { Deadlines } from '../../core/deadlines.ts';
import type { Environment } from '../../core/environment.ts';
import type { Place } from '../../core/fair-gate.ts';
import type { Logger } from '../../core/log.ts';
import type { Sql } from '../../db/database.ts';
import { findFinalPurchases } from '../history/purchase-store.ts';
import type { PurchaseState } from '../state/purchase.ts';

const TICK_MS = 250;
/** The number of outcomes that one tick reads. */
const READ_MAX = 500;
/** An outcome is read again after this fraction of the time that it has already been waited for. */
const AGAIN_AFTER = 0.125;
const AGAIN_AFTER_MAX_MS = 5_000;

type PurchaseKey = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly purchaseId: string;
};
type Waiter = PurchaseKey & { readonly done: () => void; readonly sinceMs: number; dueMs: number };

export type OutcomeWait = {
  /** How long the caller waits in total. */
  readonly leftMs: number;
  /** Takes a slot for the wait. Without a slot the wait ends at once. */
  readonly enter: () => Place | undefined;
  readonly caller: Caller;
};

/** `deadline`: the caller is answered without the outcome. */
type Outcome = PurchaseState | 'final-elsewhere' | 'deadline';

export class OutcomeWaiters {
  readonly #sql: Sql;
  readonly #log: Logger;
  /** In the order in which they are read. */
  readonly #waiting = { live: new Map<string, Waiter>(), test: new Map<string, Waiter>() };
  readonly #deadlines = new Deadlines();
  #timer: NodeJS.Timeout | undefined;

  constructor(sql: Sql, log: Logger) {
    this.#sql = sql;
    this.#log = log;
  }

  get size(): number {
    return this.#waiting.live.size + this.#waiting.test.size;
  }

  /**
   * Waits up to `leftMs` for the outcome of a purchase. `own` is the work of this request: it
   * returns the final state, or undefined when the purchase continues without it. Also returns
   * `deadline` if there is no free slot, or the client has disconnected.
   */
  wait(purchase: PurchaseKey, own: Promise<PurchaseState | undefined>, how: OutcomeWait): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      let stopElsewhere: (() => void) | undefined;
      const settle = (outcome: Outcome): void => {
        isOver = true;
        this.#deadlines.cancel(deadline);
        stopElsewhere?.();
        resolve(outcome);
      };
      const deadline = this.#deadlines.add(how.leftMs, () => settle('deadline'));
      own
        .then((state) => {
          if (state !== undefined) settle(state);
          if (isOver) return;
          const stop = this.#waitElsewhere(purchase, how, settle);
          if (isOver) stop();
          else stopElsewhere = stop;
        })
        .catch((error: unknown) => {
          this.#deadlines.cancel(deadline);
          reject(error);
        });
    });
  }

  /** A purchase became final in this process, so its waiter need not wait for the next tick. */
  settle(purchaseId: string): void {
    if (this.size === 0) return;
    (this.#waiting.live.get(purchaseId) ?? this.#waiting.test.get(purchaseId))?.done();
  }

  /**
   * Calls `settle` with the first result, perhaps at once. Returns a function that ends the wait.
   */
  #waitElsewhere(
    { merchantId, environment, purchaseId }: PurchaseKey,
    { enter, caller }: OutcomeWait,
    settle: (outcome: Outcome) => void,
  ): () => void {
    const leave = enter();
    if (leave === undefined) {
      settle('deadline');
      return () => undefined;
    }
    const sinceMs = performance.now();
    const done = (): void => settle('final-elsewhere');
    const waiter = { merchantId, environment, purchaseId, done, sinceMs, dueMs: sinceMs };
    this.#waiting[environment].set(purchaseId, waiter);
    this.#timer ??= setTimeout(() => void this.#look(), TICK_MS);
    const endWatch = caller.onGone(() => settle('deadline'));
    return () => {
      endWatch();
      leave();
      this.#waiting[environment].delete(purchaseId);
    };
  }

  async #look(): Promise<void> {
    try {
      const due = this.#takeDue(performance.now());
      if (due.length > 0)
        for (const purchaseId of await findFinalPurchases(this.#sql, due)) this.settle(purchaseId);
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot read outcomes; trying again');
    }
    this.#timer = this.size > 0 ? setTimeout(() => void this.#look(), TICK_MS) : undefined;
  }

  /** The waiters to read now. They go behind the others. */
  #takeDue(nowMs: number): Waiter[] {
    const due: Waiter[] = [];
    for (const waiting of [this.#waiting.live, this.#waiting.test]) {
      for (const waiter of waiting.values()) {
        if (due.length >= READ_MAX) break;
        if (waiter.dueMs <= nowMs) due.push(waiter);
      }
    }
    for (const waiter of due) {
      const pauseMs = Math.min(AGAIN_AFTER * (nowMs - waiter.sinceMs), AGAIN_AFTER_MAX_MS);
      waiter.dueMs = nowMs + pauseMs;
      this.#waiting[waiter.environment].delete(waiter.purchaseId);
      this.#waiting[waiter.environment].set(waiter.purchaseId, waiter);
    }
    return due;
  }
}
