/**
 * How far the places in feeds are settled: everybody who took a place up to there has ended. So
 * nothing appears there any more, whatever feed it is in.
 *
 * Guarantees: whoever takes a place has a transaction number before, for it holds a lock on a row.
 * So the number that is given out after the place was seen to be taken is higher, and once all
 * transactions below that one have ended, so has whoever took the place.
 */
import type { Sql } from '../../db/database.ts';
import { lastPosition } from './event-store.ts';
import { readOldestTransaction, takeTransactionNumber } from './feed-store.ts';

const AGAIN_MS = 100;

type Sample = { readonly position: bigint; readonly next: bigint };

export class Horizon {
  readonly #sql: Sql;
  #settled = 0n;
  #sample: Sample | undefined;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #seen: { readonly position: bigint; readonly atMs: number } | undefined;
  #placesPerS = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** How fast places were taken between the last two looks. */
  get placesPerS(): number {
    return this.#placesPerS;
  }

  /** Up to where places are settled. It is looked at again after a tenth of a second. */
  async look(): Promise<bigint> {
    if (performance.now() - this.#lookedAtMs >= AGAIN_MS) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
    }
    return this.#settled;
  }

  async #look(): Promise<void> {
    const sql = this.#sql;
    // The place first: who took it has its number by the time that the next one is given out.
    const position = await lastPosition(sql);
    const atMs = performance.now();
    const seen = this.#seen;
    if (seen !== undefined) {
      this.#placesPerS = (1_000 * Number(position - seen.position)) / (atMs - seen.atMs);
    }
    this.#seen = { position, atMs };
    if (this.#sample === undefined && position > this.#settled) {
      this.#sample = { position, next: await takeTransactionNumber(sql) };
    }
    if (this.#sample !== undefined && (await readOldestTransaction(sql)) >= this.#sample.next) {
      this.#settled = this.#sample.position;
      this.#sample = undefined;
    }
    this.#lookedAtMs = performance.now();
  }
}
