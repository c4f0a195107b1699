/**
 * Sync requests that wait for an outcome somebody else may bring: a worker, here or in another
 * process, a query. One query a tick for all of them tells which are final.
 */
import type { Sql } from '../../db/database.ts';
import type { Logger } from '../../kernel/log.ts';
import { findFinalVends } from '../history/vend-store.ts';
import type { VendState } from '../vend/vend.ts';

const TICK_MS = 250;

type VendKey = { readonly merchantId: number; readonly vendId: string };
type Waiter = VendKey & { readonly done: () => void };

export class OutcomeWaiters {
  readonly #sql: Sql;
  readonly #log: Logger;
  readonly #waiting = new Map<string, Waiter>();
  #timer: NodeJS.Timeout | undefined;

  constructor(sql: Sql, log: Logger) {
    this.#sql = sql;
    this.#log = log;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Waits up to `leftMs` for the outcome of a vend: `own` is the work of this request, which gives
   * the final state or, when the vend goes on without it, undefined.
   */
  async wait(
    vend: VendKey,
    own: Promise<VendState | undefined>,
    leftMs: number,
  ): Promise<VendState | 'final-elsewhere' | 'deadline'> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<'deadline'>((resolve) => {
      timer = setTimeout(() => resolve('deadline'), Math.max(leftMs, 0));
    });
    try {
      const first = await Promise.race([own, deadline]);
      if (first !== undefined) return first;
      return await Promise.race([this.#elsewhere(vend), deadline]);
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(vend.vendId);
    }
  }

  /** A vend became final in this process: no need to wait for the next tick. */
  settle(vendId: string): void {
    this.#waiting.get(vendId)?.done();
  }

  #elsewhere({ merchantId, vendId }: VendKey): Promise<'final-elsewhere'> {
    return new Promise((resolve) => {
      this.#waiting.set(vendId, { merchantId, vendId, done: () => resolve('final-elsewhere') });
      this.#timer ??= setTimeout(() => void this.#look(), TICK_MS);
    });
  }

  async #look(): Promise<void> {
    try {
      for (const vendId of await findFinalVends(this.#sql, [...this.#waiting.values()])) this.settle(vendId);
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot look for outcomes; trying again');
    }
    this.#timer = this.#waiting.size > 0 ? setTimeout(() => void this.#look(), TICK_MS) : undefined;
  }
}
