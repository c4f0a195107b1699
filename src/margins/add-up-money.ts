/**
 * Adds up what purchases, deposits and refunds leave, in the background: totals for metrics, what
 * providers took at last, and sales at a loss, for which it raises alarms.
 *
 * Guarantees: each purchase and deposit is added once, also when several processes add up at once
 * or one dies. A slice and the mark that moves past it are one transaction, under the mark's lock.
 * What is committed is added within seconds. It takes a small part of the time alone, so that
 * catching up after an upgrade costs purchases little.
 */
import { AddingPace, measured, SliceLength } from '../db/adding-pace.ts';
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

/** A change of prices waits for so many slices: more are left to the job. */
const SLICES_BEFORE_CHANGE = 4;
const SLICE_MAX_S = 600;
/** To plan the statements of a slice takes as long as to add a hundred purchases. */
const plans = { genericPlans: true } as const;

export class MoneyAddition {
  readonly #pace: AddingPace;
  readonly #lengths = new Map(moneySources.map((source) => [source, new SliceLength(SLICE_MAX_S)]));

  constructor(pace = new AddingPace()) {
    this.#pace = pace;
  }

  /** Gives how many purchases and deposits it added, and whether there are more. */
  async run(database: Pick<Database, 'transaction'>): Promise<{ added: number; isBehind: boolean }> {
    let added = 0;
    let isBehind = false;
    if (!this.#pace.start()) return { added, isBehind };
    for (const [source, length] of this.#lengths) {
      let isLeft = false;
      do {
        const slice = await database.transaction((tx) => addOne(tx, source, { waits: false, length }), plans);
        added += slice?.rows ?? 0;
        isLeft = slice?.isLast === false;
      } while (await this.#pace.goOn({ isBehind: isLeft }));
      isBehind ||= isLeft;
    }
    this.#pace.rest({ isBehind });
    return { added, isBehind };
  }
}

/** So that a change of prices knows of the sales that were committed before it. */
export async function catchUp(tx: Tx): Promise<void> {
  const length = { seconds: SLICE_MAX_S, measure: () => undefined };
  for (let count = 0; count < SLICES_BEFORE_CHANGE; count += 1) {
    const slice = await addOne(tx, 'sales', { waits: true, length });
    // A round that another process began does not see what came since.
    if (slice?.isLast && slice.isFresh) return;
  }
}

type Added = Slice & { /** The round was begun here. */ readonly isFresh: boolean };

/** Undefined where another process adds up now. */
async function addOne(
  tx: Tx,
  source: MoneySource,
  options: { readonly waits: boolean; readonly length: Pick<SliceLength, 'seconds' | 'measure'> },
): Promise<Added | undefined> {
  const mark = await lockMark(tx, source, options);
  if (mark === undefined) return undefined;
  const isFresh = mark.cut === null;
  if (isFresh) await beginRound(tx, source);
  const slice = await measured(options.length, () => addSlice(tx, source, options.length.seconds));
  if (slice.losses > 0n) await tellLosses(tx);
  if (slice.stops) await announceChange(tx, 'guards');
  return { ...slice, isFresh };
}
