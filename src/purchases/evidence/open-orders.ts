/**
 * The open orders of an account, read once for all its lookups. After an outage thousands are open
 * at once, no balance can tell them apart, and each comparison would read all of them.
 *
 * Guarantees: it only leaves orders undecided. A reading that lacks new orders, or contains orders
 * that have become final, delays a conclusion by its age at most.
 */
import type { Clock } from '../../core/clock.ts';
import type { Sql } from '../../db/database.ts';
import { CROWD } from './explain-balance.ts';
import { findOpenOrder } from './open-order-store.ts';

const KEEP_MS = 10_000;

type Reading = { readonly atMs: number; readonly crowdedFromMs: Promise<number | undefined> };

export class OpenOrders {
  readonly #sql: Sql;
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  /** The latest of each account. */
  readonly #readings = new Map<string, Reading>();

  constructor(sql: Sql, clock: Pick<Clock, 'elapsedMs'>) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /** When the number of open orders reached a crowd. Undefined: there are fewer. */
  crowdedFromMs(provider: string): Promise<number | undefined> {
    const nowMs = this.#clock.elapsedMs();
    const latest = this.#readings.get(provider);
    if (latest !== undefined && nowMs - latest.atMs < KEEP_MS) return latest.crowdedFromMs;
    const reading = { atMs: nowMs, crowdedFromMs: findOpenOrder(this.#sql, provider, CROWD) };
    this.#readings.set(provider, reading);
    reading.crowdedFromMs.catch(() => {
      if (this.#readings.get(provider) === reading) this.#readings.delete(provider);
    });
    return reading.crowdedFromMs;
  }
}
