/**
 * Puts final purchases into the segments of the search, in the background: first those that have
 * become final since, then those of before this version, from the newest to the oldest.
 *
 * Guarantees: a search finds a purchase whether it is in a segment or not, since a segment and how
 * far they are (progress-store.ts) are stored in one transaction. One process at a time is at it,
 * and it goes on wherever another was cut short. At least half of the time is left to purchases.
 */
import type { Queries, Tx } from '../../db/database.ts';
import { workHalfTime } from '../../kernel/half-time.ts';
import { asStep, runInSteps } from '../../kernel/in-steps.ts';
import { readFinalVends, sliceFinalVends } from './final-vend-store.ts';
import { SEGMENT_MAX } from './postings.ts';
import {
  beginning,
  countSpan,
  countTransfers,
  findSettledTime,
  moveTime,
  type Progress,
  takeProgress,
  writeProgress,
} from './progress-store.ts';
import { buildSegment, type IndexedVend } from './segment.ts';
import { insertSegment } from './segment-store.ts';

const SPAN_MS_FIRST = 3_600_000;
/** Longer than there have been purchases. */
const SPAN_MS_MAX = 100 * 365 * 86_400_000;

export type SegmentSizes = {
  /** Fewer are left where they are: a search reads them one by one. */
  readonly least: number;
  readonly most: number;
};

const usualSizes: SegmentSizes = { least: 7_000, most: SEGMENT_MAX };
/** Of transfers: a purchase makes one or two. */
const BUSY_PER_SECOND = 2_000;
const BURST_MAX = 500_000n;
/** So few that a transaction is over in seconds, and so many that segments have much to hold. */
const SEGMENTS_AT_ONCE = 3;
const SEGMENTS_LEAST = 1.5;

type Span = { readonly from: string; readonly to: string };

export class SearchIndexing {
  readonly #sizes: SegmentSizes;
  /** How long the spans are that have a few segments each. */
  #forwardMs = SPAN_MS_FIRST;
  #backwardMs = SPAN_MS_FIRST;
  /** How many transfers there were when this looked last. */
  #seen: { readonly atMs: number; readonly transfers: bigint } | undefined;
  /** How many there were when everything final was in segments. */
  #caughtUpAt: bigint | undefined;

  constructor(sizes = usualSizes) {
    this.#sizes = sizes;
  }

  /** Does what there is to do for some seconds. */
  async run(database: Queries): Promise<void> {
    await workHalfTime(async () => {
      const more = await database.transaction((tx) => this.#takeSpan(tx));
      return more ? 'more' : 'done';
    });
  }

  /** Gives whether there may be more to do. */
  async #takeSpan(tx: Tx): Promise<boolean> {
    const stored = await takeProgress(tx);
    if (stored === undefined || (await this.#gaveWay(tx))) return false;
    // By the index on the time, and each row by its key.
    await tx.query(`
      set local enable_seqscan = off;
      set local enable_hashjoin = off;
      set local enable_mergejoin = off`);
    const { settled, upTo } = await findSettledTime(tx, stored.upTo);
    const progress = { ...stored, upTo };
    const next =
      progress.upTo === beginning
        ? await this.#begin(tx, settled)
        : ((await this.#goForward(tx, progress, settled)) ?? (await this.#goBack(tx, progress)));
    if (next !== undefined || upTo !== stored.upTo) await writeProgress(tx, next ?? progress);
    return next !== undefined;
  }

  /**
   * While purchases come in very fast, they have all the time there is: a burst is put into
   * segments after it, or once it is long.
   */
  async #gaveWay(tx: Tx): Promise<boolean> {
    const atMs = performance.now();
    const transfers = await countTransfers(tx);
    const seen = this.#seen;
    this.#seen = { atMs, transfers };
    this.#caughtUpAt ??= transfers;
    if (seen === undefined || atMs === seen.atMs) return false;
    const perSecond = (1_000 * Number(transfers - seen.transfers)) / (atMs - seen.atMs);
    return perSecond > BUSY_PER_SECOND && transfers - this.#caughtUpAt < BURST_MAX;
  }

  /** A new installation's first purchases are left where they are. */
  async #begin(tx: Tx, settled: string): Promise<Progress | undefined> {
    const { least } = this.#sizes;
    const count = await countSpan(tx, { from: beginning, to: settled }, least);
    return count < least ? undefined : { from: settled, upTo: settled };
  }

  async #goForward(tx: Tx, progress: Progress, settled: string): Promise<Progress | undefined> {
    const span = await this.#findSpan(tx, this.#forwardMs, async (widthMs) => {
      const to = await moveTime(tx, progress.upTo, widthMs, settled);
      return { from: progress.upTo, to, isWhole: to === settled };
    });
    if (span === undefined) {
      this.#caughtUpAt = this.#seen?.transfers;
      return undefined;
    }
    this.#forwardMs = span.widthMs;
    await this.#store(tx, span);
    return { ...progress, upTo: span.to };
  }

  async #goBack(tx: Tx, progress: Progress): Promise<Progress | undefined> {
    if (progress.from === beginning) return undefined;
    const span = await this.#findSpan(tx, this.#backwardMs, async (widthMs) => {
      const isWhole = widthMs > SPAN_MS_MAX;
      const from = isWhole ? beginning : await moveTime(tx, progress.from, -widthMs, undefined);
      return { from, to: progress.from, isWhole };
    });
    // Too few are left of those of before: they are taken all the same.
    const last = span ?? { from: beginning, to: progress.from, widthMs: SPAN_MS_FIRST };
    this.#backwardMs = last.widthMs;
    await this.#store(tx, last);
    return { ...progress, from: last.from };
  }

  /**
   * A span with a few segments' purchases, or with all there are where they are enough for one;
   * undefined where there are fewer. Its width is doubled while it has too few, and halved between
   * what was too little and too much.
   */
  async #findSpan(
    tx: Tx,
    firstMs: number,
    spanOf: (widthMs: number) => Promise<Span & { readonly isWhole: boolean }>,
  ): Promise<(Span & { readonly widthMs: number }) | undefined> {
    const { least, most } = this.#sizes;
    let smallMs = 0;
    let largeMs: number | undefined;
    for (let widthMs = firstMs; ; ) {
      const span = await spanOf(widthMs);
      const count = await countSpan(tx, span, SEGMENTS_AT_ONCE * most + 1);
      if (count > SEGMENTS_AT_ONCE * most && widthMs - smallMs > 1) {
        largeMs = widthMs;
      } else if (count >= SEGMENTS_LEAST * most || (span.isWhole && count >= least)) {
        return { ...span, widthMs };
      } else if (span.isWhole) {
        return undefined;
      } else {
        smallMs = widthMs;
      }
      widthMs = largeMs === undefined ? widthMs * 2 : Math.ceil((smallMs + largeMs) / 2);
    }
  }

  async #store(tx: Tx, span: Span): Promise<void> {
    for (const slices of await sliceFinalVends(tx, span, this.#sizes.most)) {
      const vends: IndexedVend[] = [];
      for (const slice of slices) vends.push(...(await asStep(() => readFinalVends(tx, slice))));
      if (vends.length > 0) await insertSegment(tx, await runInSteps(buildSegment(vends)));
    }
  }
}
