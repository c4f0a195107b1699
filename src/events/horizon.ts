/**
 * How far the places in feeds are settled: everybody who took a place up to there has ended. So
 * nothing appears there any more, whatever feed it is in.
 *
 * Guarantees: whoever takes a place has a transaction number before (it holds a lock on a row). So
 * it is one of those that had begun when the place was seen to be taken, and once all of these have
 * ended, so has it.
 */
import type { Sql } from '../db/database.ts';
import { lastPosition } from './event-store.ts';
import { readTransactions } from './feed-store.ts';

const AGAIN_MS = 100;

type Sample = { readonly position: bigint; readonly next: bigint };

export class Horizon {
  #settled = 0n;
  #sample: Sample | undefined;
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  /** Up to where places are settled. It is looked at again after a tenth of a second. */
  async look(sql: Sql): Promise<bigint> {
    if (performance.now() - this.#lookedAtMs < AGAIN_MS) return this.#settled;
    // The place first: who took it has begun by the time that the transactions are read.
    const position = await lastPosition(sql);
    const { oldest, next } = await readTransactions(sql);
    this.#lookedAtMs = performance.now();
    const sample = this.#sample;
    if (oldest >= next) {
      this.#settle(position);
      this.#sample = undefined;
    } else if (sample !== undefined && oldest >= sample.next) {
      this.#settle(sample.position);
      this.#sample = { position, next };
    } else {
      this.#sample = sample ?? { position, next };
    }
    return this.#settled;
  }

  #settle(position: bigint): void {
    if (position > this.#settled) this.#settled = position;
  }
}
