/**
 * Gives events their places in the feeds, and deletes what is old. Any number of processes may do
 * either: an event has no place or one, and what is deleted twice is gone.
 */
import type { Queries } from '../../db/database.ts';
import { deleteOldEvents, deleteOldMarks, findUnplaced, markPositions, placeEvents } from './event-store.ts';

const FEEDS_AT_ONCE = 200;

/** Gives how many it placed. A feed whose lock is held for long is tried again by the next run. */
export async function placeNewEvents(database: Queries): Promise<number> {
  let placed = 0;
  let failure: unknown;
  for (const owner of await findUnplaced(database, FEEDS_AT_ONCE)) {
    try {
      placed += await database.transaction((tx) => placeEvents(tx, owner));
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return placed;
}

const ROWS_AT_ONCE = 1_000;
const SLICES_MAX = 50;

/** Deletes in slices, so that no statement is long. */
export async function deleteInSlices(deleteSome: (limit: number) => Promise<number>): Promise<void> {
  for (let slice = 0; slice < SLICES_MAX; slice += 1) {
    if ((await deleteSome(ROWS_AT_ONCE)) < ROWS_AT_ONCE) return;
  }
}

export async function forgetOldEvents(database: Queries): Promise<void> {
  await markPositions(database);
  await deleteInSlices((limit) => deleteOldEvents(database, limit));
  await deleteOldMarks(database);
}
