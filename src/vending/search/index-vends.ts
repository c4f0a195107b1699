/**
 * Puts final purchases into the segments of the search, in the background: first those that have
 * become final since, then those of before this version, from the newest to the oldest.
 *
 * Guarantees: a search finds a purchase whether it is in a segment or not, since a segment and how
 * far they are (progress-store.ts) are stored in one transaction. One process at a time is at it,
 * and it goes on wherever another was cut short. At least half of the time is left to purchases.
 */
import { setImmediate as letOthers, setTimeout as sleep } from 'node:timers/promises';
import type { Queries, Tx } from '../../db/database.ts';
import { readFinalVends } from './final-vend-store.ts';
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

const RUN_MS = 3_000;
const SPAN_MS_FIRST = 3_600_000;
/** Longer than there have been purchases. */
const SPAN_MS_MAX = 100 * 365 * 86_400_000;
const SPANS_TRIED_MAX = 100;

export type SegmentSizes = {
  /** Fewer are left where they are: a search reads them one by one. */
  readonly least: number;
  readonly most: number;
};

const usualSizes: SegmentSizes = { least: 7_000, most: SEGMENT_MAX };
/** Of transfers: a purchase makes one or two. */
const BUSY_PER_SECOND = 2_000;
const BURST_MAX = 500_000n;
const SEGMENTS_AT_ONCE = 8;
const PARTS_LEAST = 3;

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
    const endMs = performance.now() + RUN_MS;
    for (;;) {
      const startedMs = performance.now();
      const more = await database.transaction((tx) => this.#takeSpan(tx));
      const nowMs = performance.now();
      if (!more || nowMs >= endMs) return;
      await sleep(nowMs - startedMs);
    }
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
    for (let tried = 0; tried < SPANS_TRIED_MAX; tried += 1) {
      const to = await moveTime(tx, progress.upTo, this.#forwardMs, settled);
      const span = { from: progress.upTo, to };
      const size = await this.#judge(tx, span, to === settled);
      if (size === 'large' && this.#forwardMs > 1) {
        this.#forwardMs = Math.ceil(this.#forwardMs / 2);
      } else if (size !== 'small') {
        await this.#store(tx, span);
        return { ...progress, upTo: to };
      } else if (to === settled) {
        this.#caughtUpAt = this.#seen?.transfers;
        return undefined;
      } else {
        this.#forwardMs *= 2;
      }
    }
    return undefined;
  }

  async #goBack(tx: Tx, progress: Progress): Promise<Progress | undefined> {
    if (progress.from === beginning) return undefined;
    for (let tried = 0; tried < SPANS_TRIED_MAX; tried += 1) {
      const isAll = this.#backwardMs > SPAN_MS_MAX;
      const from = isAll ? beginning : await moveTime(tx, progress.from, -this.#backwardMs, undefined);
      const span = { from, to: progress.from };
      const size = await this.#judge(tx, span, isAll);
      if (size === 'large' && this.#backwardMs > 1) {
        this.#backwardMs = Math.ceil(this.#backwardMs / 2);
      } else if (size !== 'small' || isAll) {
        await this.#store(tx, span);
        return { ...progress, from };
      } else {
        this.#backwardMs *= 2;
      }
    }
    return undefined;
  }

  async #judge(tx: Tx, span: Span, isEnd: boolean): Promise<'small' | 'right' | 'large'> {
    const { least, most } = this.#sizes;
    const count = await countSpan(tx, span, SEGMENTS_AT_ONCE * most + 1);
    // Where there are more beyond, only so many that the parts are nearly full.
    if (count < (isEnd ? least : PARTS_LEAST * most)) return 'small';
    return count > SEGMENTS_AT_ONCE * most ? 'large' : 'right';
  }

  async #store(tx: Tx, span: Span): Promise<void> {
    for (const part of inParts(await readFinalVends(tx, span), this.#sizes.most)) {
      const segment = buildSegment(part);
      // To build one takes some milliseconds of the process.
      await letOthers();
      await insertSegment(tx, segment);
    }
  }
}

/** As few parts as there can be, of nearly the same size. */
function inParts(vends: readonly IndexedVend[], most: number): IndexedVend[][] {
  const parts = Math.ceil(vends.length / most);
  const size = Math.ceil(vends.length / parts);
  return Array.from({ length: parts }, (_, part) => vends.slice(part * size, (part + 1) * size));
}
