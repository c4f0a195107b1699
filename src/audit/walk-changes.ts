/** Walks over what is new since an earlier audit, in short transactions, as walk-slices.ts does. */
import type { Tx } from '../db/database.ts';
import {
  type ChangedKey,
  listNewMarks,
  listOpen,
  newMarkSlice,
  type OpenTable,
  prepareLookUps,
  prepareWindow,
} from './audit-change-store.ts';
import type { Slice } from './audit-slice-store.ts';
import type { Window } from './audit-sum-store.ts';
import { type Shortly, SliceSize } from './walk-slices.ts';

const MINUTE_MS = 60_000;

/** As in `seenBy` of audit-sum-store.ts: what is older than this was committed. */
const COMMITTED_MS = 60 * MINUTE_MS;

/** The time since a moment, and what follows the second moment as one window. */
export async function walkTime(
  shortly: Shortly,
  since: Date,
  until: Date,
  work: (tx: Tx, window: Window) => Promise<void>,
): Promise<void> {
  const workWithin = (window: Window): Promise<void> =>
    shortly(async (tx) => {
      await prepareWindow(tx);
      await work(tx, window);
    });
  const span = new SliceSize(undefined, 10 * MINUTE_MS, 1_000, 24 * 60 * MINUTE_MS);
  let from = new Date(since.getTime() - COMMITTED_MS);
  while (from < until) {
    const window = { from, to: new Date(Math.min(until.getTime(), from.getTime() + span.rows)) };
    await span.measure(() => workWithin(window));
    from = window.to;
  }
  await workWithin({ from, to: undefined });
}

/** All keys of a table of open rows. */
export async function walkOpen(
  shortly: Shortly,
  table: OpenTable,
  take: (keys: readonly ChangedKey[]) => void,
): Promise<void> {
  const size = new SliceSize(undefined, 20_000, 1_000, 100_000);
  let last: ChangedKey | undefined;
  do {
    const above = last;
    const keys = await size.measure(() => workOn(shortly, (tx) => listOpen(tx, table, above, size.rows)));
    take(keys);
    last = keys.at(-1);
  } while (last !== undefined);
}

export async function walkKeys(
  shortly: Shortly,
  rowsPerSlice: number | undefined,
  keys: readonly ChangedKey[],
  work: (tx: Tx, keys: readonly ChangedKey[]) => Promise<void>,
): Promise<void> {
  const size = new SliceSize(rowsPerSlice, 2_000, 100, 20_000);
  for (let from = 0; from < keys.length; ) {
    const some = keys.slice(from, from + size.rows);
    await size.measure(() => workOn(shortly, (tx) => work(tx, some)));
    from += some.length;
  }
}

/** Marks of statements that are newer than those of an earlier audit. */
export async function walkNewMarks(
  shortly: Shortly,
  statements: string,
  work: (tx: Tx, slice: Slice) => Promise<void>,
): Promise<void> {
  const places = await workOn(shortly, (tx) => listNewMarks(tx, statements));
  const size = new SliceSize(undefined, 8, 1, 100);
  for (let from = 0; from < places.length; ) {
    const some = places.slice(from, from + size.rows);
    await size.measure(() => shortly((tx) => work(tx, newMarkSlice(some))));
    from += some.length;
  }
}

async function workOn<T>(shortly: Shortly, work: (tx: Tx) => Promise<T>): Promise<T> {
  return await shortly(async (tx) => {
    await prepareLookUps(tx);
    return await work(tx);
  });
}
