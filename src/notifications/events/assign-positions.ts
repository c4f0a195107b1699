/**
 * Assigns feed positions to new events and deletes old events. Any number of processes may run
 * both: a position is assigned once, and a repeated deletion finds nothing.
 */
import type { Queries } from '../../db/database.ts';
import {
  assignPositions,
  deleteOldEvents,
  deleteOldMarks,
  findUnpositionedFeeds,
  recordFeedMark,
} from './event-store.ts';

const FEEDS_AT_ONCE = 200;

/**
 * Assigns positions to new events and returns how many. A feed whose lock is held for long is left
 * to the next run.
 */
export async function assignNewPositions(database: Queries): Promise<number> {
  let assigned = 0;
  let failure: unknown;
  for (const owner of await findUnpositionedFeeds(database, FEEDS_AT_ONCE)) {
    try {
      assigned += await database.transaction((tx) => assignPositions(tx, owner));
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return assigned;
}

const ROWS_AT_ONCE = 1_000;
const SLICES_MAX = 50;

/** Deletes in slices, so that no statement takes long. */
export async function deleteInSlices(deleteSome: (limit: number) => Promise<number>): Promise<void> {
  for (let slice = 0; slice < SLICES_MAX; slice += 1) {
    if ((await deleteSome(ROWS_AT_ONCE)) < ROWS_AT_ONCE) return;
  }
}

export async function purgeOldEvents(database: Queries): Promise<void> {
  await recordFeedMark(database);
  await deleteInSlices((limit) => deleteOldEvents(database, limit));
  await deleteOldMarks(database);
}
