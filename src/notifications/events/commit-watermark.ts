/**
 * The position below which no event can appear any more, in any feed.
 *
 * A transaction has an id before it takes a position, because it holds a row lock. A transaction id
 * assigned after a position was seen is therefore higher than the id of the transaction that took
 * the position. Once all transactions below that id have ended, every position up to the one seen
 * is committed or gone.
 */
import type { Sql } from '../../db/database.ts';
import { readLastPosition } from './event-store.ts';
import { assignTransactionId, readOldestTransactionId } from './feed-store.ts';

const REFRESH_MS = 100;

type Sample = { readonly position: bigint; readonly next: bigint };

export class CommitWatermark {
  readonly #sql: Sql;
  #settled = 0n;
  #sample: Sample | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  #seen: { readonly position: bigint; readonly atMs: number } | undefined;
  #positionsPerS = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** How many positions a second were assigned between the last two readings. */
  get positionsPerS(): number {
    return this.#positionsPerS;
  }

  /** Returns the watermark. It is at most a tenth of a second old. */
  async read(): Promise<bigint> {
    if (performance.now() - this.#readAtMs >= REFRESH_MS) {
      this.#reading ??= this.#refresh().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    return this.#settled;
  }

  async #refresh(): Promise<void> {
    const sql = this.#sql;
    // The position is read first, so that its transaction has its id before the next id is
    // assigned.
    const position = await readLastPosition(sql);
    const atMs = performance.now();
    const seen = this.#seen;
    if (seen !== undefined) {
      this.#positionsPerS = (1_000 * Number(position - seen.position)) / (atMs - seen.atMs);
    }
    this.#seen = { position, atMs };
    if (this.#sample === undefined && position > this.#settled) {
      this.#sample = { position, next: await assignTransactionId(sql) };
    }
    if (this.#sample !== undefined && (await readOldestTransactionId(sql)) >= this.#sample.next) {
      this.#settled = this.#sample.position;
      this.#sample = undefined;
    }
    this.#readAtMs = performance.now();
  }
}
