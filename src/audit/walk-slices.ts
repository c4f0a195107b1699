/**
 * Walks over the history in slices, each in a short transaction. A slice that took too long is
 * followed by smaller ones, a quick one by larger ones: so its time stays near the aim on any
 * machine, however busy.
 */

import { leastId } from '../core/ids.ts';
import type { Tx } from '../db/database.ts';
import { findMerchantBound, findSubjectBound } from './audit-bound-store.ts';
import {
  findTableBound,
  type PurchaseRange,
  type Slice,
  type TablePlace,
  tableSlice,
  type WalkedTable,
} from './audit-slice-store.ts';
import { findMarkBound, firstMarkPlace, type MarkPlace, markSlice } from './audit-statement-store.ts';

/** Runs `work` in a transaction with one snapshot. */
export type Shortly = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

const AIM_MS = 1_000;
const BEFORE_MERCHANTS = -2_147_483_648;
const LAST_MERCHANT = 2_147_483_647;

/** How many rows the next slice has. */
export class SliceSize {
  readonly #max: number;
  readonly #min: number;
  rows: number;

  /** `fixed` rows; else from `first` on, between the two others. */
  constructor(fixed: number | undefined, first: number, min: number, max: number) {
    this.rows = fixed ?? first;
    this.#min = fixed ?? min;
    this.#max = fixed ?? max;
  }

  async measure<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const result = await work();
    const tookMs = performance.now() - startedAt;
    if (tookMs > AIM_MS) this.rows = Math.max(this.#min, Math.floor((this.rows * AIM_MS) / tookMs));
    else if (tookMs < AIM_MS / 2) this.rows = Math.min(this.#max, this.rows * 2);
    return result;
  }
}

/**
 * All keys (merchant, subject): small merchants together, large ones in parts. Of no table does a
 * slice have many more rows than its size, and a subject with all its rows is in one slice.
 */
export async function walkSubjects(
  shortly: Shortly,
  rowsPerSlice: number | undefined,
  work: (tx: Tx, range: PurchaseRange) => Promise<void>,
): Promise<void> {
  const size = new SliceSize(rowsPerSlice, 10_000, 500, 50_000);
  let above = BEFORE_MERCHANTS;
  while (above < LAST_MERCHANT) {
    const from = above;
    const large = await shortly((tx) => findMerchantBound(tx, from, size.rows));
    if (large === from + 1) {
      await walkMerchant(shortly, large, size, work);
      above = large;
    } else {
      // Those between two merchants too: rows of nobody.
      const upTo = large === undefined ? LAST_MERCHANT : large - 1;
      await size.measure(() => shortly((tx) => work(tx, { kind: 'merchants', above: from, upTo })));
      above = upTo;
    }
  }
}

async function walkMerchant(
  shortly: Shortly,
  merchantId: number,
  size: SliceSize,
  work: (tx: Tx, range: PurchaseRange) => Promise<void>,
): Promise<void> {
  let above: string | undefined = leastId;
  while (above !== undefined) {
    const from: string = above;
    above = await size.measure(() =>
      shortly(async (tx) => {
        const upTo = await findSubjectBound(tx, merchantId, from, size.rows);
        await work(tx, { kind: 'purchases', merchantId, above: from, upTo });
        return upTo;
      }),
    );
  }
}

/** A table in an order of its own. */
export async function walkTable(
  shortly: Shortly,
  rowsPerSlice: number | undefined,
  table: WalkedTable,
  work: (tx: Tx, slice: Slice) => Promise<void>,
): Promise<void> {
  // Rows of other tables are looked up for each.
  const isCompared = table === 'purchases' || table === 'attempts';
  const size = new SliceSize(rowsPerSlice, isCompared ? 20_000 : 4_000, 1_000, isCompared ? 200_000 : 20_000);
  let above: TablePlace | undefined;
  do {
    const from: TablePlace | undefined = above;
    above = await size.measure(() =>
      shortly(async (tx) => {
        const upTo = await findTableBound(tx, table, from, size.rows);
        await work(tx, tableSlice(table, from, upTo));
        return upTo;
      }),
    );
  } while (above !== undefined);
}

/** The marks in the history of wallets. */
export async function walkMarks(
  shortly: Shortly,
  rowsPerSlice: number | undefined,
  work: (tx: Tx, slice: Slice) => Promise<void>,
): Promise<void> {
  const size = new SliceSize(rowsPerSlice, 8, 1, 100);
  let above: MarkPlace | undefined = firstMarkPlace;
  while (above !== undefined) {
    const from: MarkPlace = above;
    above = await size.measure(() =>
      shortly(async (tx) => {
        const upTo = await findMarkBound(tx, from, size.rows);
        await work(tx, markSlice(from, upTo));
        return upTo;
      }),
    );
  }
}
