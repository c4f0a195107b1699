/**
 * Walks over the history in slices, each in a short transaction. The size of a slice follows the
 * time of the one before, so that slices take about as long on any machine under any load.
 */

import { leastId } from '../core/ids.ts';
import type { Tx } from '../db/database.ts';
import { findMerchantBound, findSubjectBound } from './audit-bound-store.ts';
import {
  findTableBound,
  followOrder,
  type PurchaseRange,
  type Slice,
  type TablePlace,
  tableSlice,
  type WalkedTable,
} from './audit-slice-store.ts';
import { findMarkBound, firstMarkPlace, markSlice } from './audit-statement-store.ts';

/** Runs `work` in a transaction with one snapshot. */
export type Shortly<At extends Tx = Tx> = <T>(work: (tx: At) => Promise<T>) => Promise<T>;

const AIM_MS = 1_000;
const BEFORE_MERCHANTS = -2_147_483_648;
const LAST_MERCHANT = 2_147_483_647;

/** The number of rows of the next slice. */
export class SliceSize {
  readonly #max: number;
  readonly #min: number;
  rows: number;

  /** Uses `fixed` rows, else begins with `first` and stays between `min` and `max`. */
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
 * Walks from a place to the end: finds the bound of each slice and works on it, in one transaction.
 * `findBound` returns undefined for the last slice.
 */
export async function walkSlices<Place, At extends Tx = Tx>(
  shortly: Shortly<At>,
  size: SliceSize,
  first: Place,
  findBound: (tx: At, above: Place) => Promise<Place | undefined>,
  work: (tx: At, above: Place, upTo: Place | undefined) => Promise<void>,
): Promise<void> {
  let above: Place | undefined = first;
  do {
    const from: Place = above as Place;
    above = await size.measure(() =>
      shortly(async (tx) => {
        const upTo = await findBound(tx, from);
        await work(tx, from, upTo);
        return upTo;
      }),
    );
  } while (above !== undefined);
}

/**
 * Walks over all keys (merchant, subject): several small merchants in one slice, large ones in
 * parts. A slice has little more rows of any table than its size, and a subject with all its rows
 * is in one slice.
 */
export async function walkSubjects<At extends Tx>(
  shortly: Shortly<At>,
  rowsPerSlice: number | undefined,
  work: (tx: At, range: PurchaseRange) => Promise<void>,
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
      // Includes keys between two merchants, whose rows belong to no merchant.
      const upTo = large === undefined ? LAST_MERCHANT : large - 1;
      await size.measure(() => shortly((tx) => work(tx, { kind: 'merchants', above: from, upTo })));
      above = upTo;
    }
  }
}

async function walkMerchant<At extends Tx>(
  shortly: Shortly<At>,
  merchantId: number,
  size: SliceSize,
  work: (tx: At, range: PurchaseRange) => Promise<void>,
): Promise<void> {
  await walkSlices(
    shortly,
    size,
    leastId,
    (tx, above) => findSubjectBound(tx, merchantId, above, size.rows),
    (tx, above, upTo) => work(tx, { kind: 'purchases', merchantId, above, upTo }),
  );
}

/** Walks over a table in its own order. */
export async function walkTable<At extends Tx>(
  shortly: Shortly<At>,
  rowsPerSlice: number | undefined,
  table: WalkedTable,
  work: (tx: At, slice: Slice) => Promise<void>,
): Promise<void> {
  // Fewer rows of the other tables, because each row needs look-ups.
  const isCompared = table === 'purchases' || table === 'attempts';
  const size = new SliceSize(rowsPerSlice, isCompared ? 20_000 : 4_000, 1_000, isCompared ? 200_000 : 20_000);
  await walkSlices<TablePlace | undefined, At>(
    shortly,
    size,
    undefined,
    async (tx, above) => {
      await followOrder(tx);
      return await findTableBound(tx, table, above, size.rows);
    },
    (tx, above, upTo) => work(tx, tableSlice(table, above, upTo)),
  );
}

/** Walks over the marks in the history of wallets. */
export async function walkMarks(
  shortly: Shortly,
  rowsPerSlice: number | undefined,
  work: (tx: Tx, slice: Slice) => Promise<void>,
): Promise<void> {
  const size = new SliceSize(rowsPerSlice, 8, 1, 100);
  await walkSlices(
    shortly,
    size,
    firstMarkPlace,
    (tx, above) => findMarkBound(tx, above, size.rows),
    (tx, above, upTo) => work(tx, markSlice(above, upTo)),
  );
}
