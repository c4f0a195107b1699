/**
 * Adds up what purchases, deposits and refunds leave, in the background: totals for metrics, what
 * providers took at last, and sales at a loss, for which it raises alarms.
 *
 * Guarantees: each purchase and deposit is added once, also when several processes add up at once
 * or one dies. A slice and the mark that moves past it are one transaction, under the mark's lock.
 * What is committed is added within seconds. It takes a small part of the time alone, so that
 * catching up after an upgrade costs purchases little.
 */
import { announceChange } from '../db/change-notice-store.ts';
import type { Database, Tx } from '../db/database.ts';
import { tellLosses } from './loss-store.ts';
import {
  addSlice,
  beginRound,
  lockMark,
  type MoneySource,
  moneySources,
  type Slice,
} from './money-mark-store.ts';

const RUN_MS = 300;
const REST_PER_RUN = 25;
/** Else one slow run would put off the next for long. */
const REST_MAX_MS = 8_000;
/** A change of prices waits for so many slices: more are left to the job. */
const SLICES_BEFORE_CHANGE = 4;
/** Of many sales: those of a saturated database are more than one run does. */
const SLICE_S = 5;
/** Where there is little, slices get longer. */
const SLICE_MAX_S = 600;
const LITTLE = 1_000n;

export class MoneyAddition {
  #restUntilMs = Number.NEGATIVE_INFINITY;

  /** Gives how many purchases and deposits it added. */
  async run(database: Pick<Database, 'transaction'>): Promise<number> {
    const startedMs = performance.now();
    if (startedMs < this.#restUntilMs) return 0;
    let added = 0;
    for (const source of moneySources) {
      for (let lengthS = SLICE_S; ; ) {
        const options = { waits: false, lengthS };
        const slice = await database.transaction((tx) => addOne(tx, source, options));
        if (slice !== undefined)
          lengthS = slice.sales < LITTLE ? Math.min(2 * lengthS, SLICE_MAX_S) : SLICE_S;
        added += Number(slice?.sales ?? 0n);
        if (slice === undefined || slice.isLast || performance.now() - startedMs > RUN_MS) break;
      }
    }
    const nowMs = performance.now();
    this.#restUntilMs = nowMs + Math.min(REST_PER_RUN * (nowMs - startedMs), REST_MAX_MS);
    return added;
  }
}

/** So that a change of prices knows of the sales that were committed before it. */
export async function catchUp(tx: Tx): Promise<void> {
  for (let count = 0; count < SLICES_BEFORE_CHANGE; count += 1) {
    const slice = await addOne(tx, 'sales', { waits: true, lengthS: SLICE_MAX_S });
    // A round that another process began does not see what came since.
    if (slice?.isLast && slice.isFresh) return;
  }
}

type Added = Slice & { /** The round was begun here. */ readonly isFresh: boolean };

/** Undefined where another process adds up now. */
async function addOne(
  tx: Tx,
  source: MoneySource,
  options: { readonly waits: boolean; readonly lengthS: number },
): Promise<Added | undefined> {
  const mark = await lockMark(tx, source, options);
  if (mark === undefined) return undefined;
  const isFresh = mark.cut === null;
  if (isFresh) await beginRound(tx, source);
  const slice = await addSlice(tx, source, options.lengthS);
  if (slice.losses > 0n) await tellLosses(tx);
  if (slice.stops) await announceChange(tx, 'guards');
  return { ...slice, isFresh };
}
