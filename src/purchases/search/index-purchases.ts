/**
 * Fills `purchase_search` with final purchases in the background, in the order of their outcomes.
 * Guarantees: a search finds a purchase whether it is in the table or not, because rows and the
 * checkpoint of the fill (progress-store.ts) are stored in one transaction. One process at a time
 * fills the table, and the next continues after one that was killed. Half of the time is left to
 * purchases.
 */

import { type SliceEnd, workDutyCycle } from '../../core/duty-cycle.ts';
import type { Queries, Tx } from '../../db/database.ts';
import { fillSpan } from './fill-store.ts';
import {
  beginning,
  countTransfers,
  findFirstTime,
  findReadFrom,
  findSettledTime,
  measureSpan,
  takeProgress,
  writeProgress,
} from './progress-store.ts';

/** The purchases of one transaction, so that it lasts some tens of milliseconds. */
const SLICE_MAX = 1_000;
/** With more waiting purchases than this, a search reads only those of the last ten minutes. */
const WAITING_MAX = 100_000;
const WIDTH_MS_MAX = 86_400_000;
/** Counted in transfers: a purchase makes one or two. */
const BUSY_PER_SECOND = 2_000;
const BURST_MAX = 500_000n;

export class SearchIndexing {
  readonly #sliceMax: number;
  readonly #waitingMax: number;
  #widthMs = WIDTH_MS_MAX;
  /** The number of transfers at the last check. */
  #seen: { readonly atMs: number; readonly transfers: bigint } | undefined;
  /** Their number when every final purchase was in the table. */
  #caughtUpAt: bigint | undefined;

  constructor(sliceMax = SLICE_MAX, waitingMax = WAITING_MAX) {
    this.#sliceMax = sliceMax;
    this.#waitingMax = waitingMax;
  }

  /** Fills the table for some seconds, or until it is full. */
  async run(database: Queries): Promise<void> {
    await workDutyCycle(() => database.transaction((tx) => this.fillSlice(tx)));
  }

  async fillSlice(tx: Tx): Promise<SliceEnd> {
    const stored = await takeProgress(tx);
    if (stored === undefined || (await this.#givesWay(tx))) return 'busy';
    const { settled, upTo } = await findSettledTime(tx, stored.upTo);
    const from = upTo === beginning ? await findFirstTime(tx) : upTo;
    if (from === undefined) return 'done';
    // Finds the period by the index on the time, and each row by its key, also with wrong
    // statistics.
    await tx.query(`
      set local enable_seqscan = off;
      set local enable_hashjoin = off;
      set local enable_mergejoin = off`);
    const { to, count } = await this.#nextSpan(tx, from, settled);
    // While nothing is sold, the checkpoint is not written every few seconds.
    const isIdle = count === 0 && to === settled && stored.readFrom === from;
    if (!isIdle) {
      await fillSpan(tx, { from, to });
      await writeProgress(tx, { upTo: to, readFrom: await findReadFrom(tx, to, this.#waitingMax) });
    }
    // Also if the first outcome is not settled yet.
    if (to !== settled && to !== from) return 'more';
    this.#caughtUpAt = this.#seen?.transfers;
    return 'done';
  }

  /** A period with the outcomes of one slice at most, or of one millisecond. */
  async #nextSpan(
    tx: Tx,
    from: string,
    settled: string,
  ): Promise<{ readonly to: string; readonly count: number }> {
    for (;;) {
      const span = await measureSpan(tx, { from, widthMs: this.#widthMs, settled }, this.#sliceMax + 1);
      const { count } = span;
      if (count <= this.#sliceMax || this.#widthMs <= 1) {
        if (count < this.#sliceMax / 2) this.#widthMs = Math.min(2 * this.#widthMs, WIDTH_MS_MAX);
        return span;
      }
      this.#widthMs = Math.ceil(this.#widthMs / 2);
    }
  }

  /** Leaves the processors to purchases during a burst, unless the burst lasts long. */
  async #givesWay(tx: Tx): Promise<boolean> {
    const atMs = performance.now();
    const transfers = await countTransfers(tx);
    const seen = this.#seen;
    this.#seen = { atMs, transfers };
    this.#caughtUpAt ??= transfers;
    if (seen === undefined || atMs === seen.atMs) return false;
    const perSecond = (1_000 * Number(transfers - seen.transfers)) / (atMs - seen.atMs);
    return perSecond > BUSY_PER_SECOND && transfers - this.#caughtUpAt < BURST_MAX;
  }
}
