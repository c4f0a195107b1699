/**
 * Summarizes new rows of tables in the order of time, in the background, so that queries of a short
 * time range read little. Rows without a summary are read by every query.
 *
 * PostgreSQL does this too, but only in its next round of vacuum, and records at most 256 ranges of
 * all tables until then. A busy gateway fills more. Each query reads unrecorded ranges completely
 * until the table is vacuumed, which may be millions of rows later.
 *
 * Guarantees: it waits for no other process, and locks a table for some milliseconds at most. Any
 * number of processes may do it: a range that has a summary is skipped.
 */
import type { Database } from './database.ts';
import { isLockTimeout } from './database-errors.ts';
import { findTimeIndexes, summarizeRanges, type TimeIndex } from './time-index-store.ts';

const RUN_MS = 50;
const RANGES_AT_ONCE = 32;

export class TimeIndexSummaries {
  /** The first block of each index that is not summarized yet. */
  readonly #next = new Map<string, number>();

  /**
   * Returns whether there is more to do. The last range of a table, which still grows, is skipped.
   */
  async run(database: Database): Promise<{ readonly more: boolean }> {
    const endMs = performance.now() + RUN_MS;
    let more = false;
    for (const index of await findTimeIndexes(database)) {
      more = !(await this.#summarize(database, index, endMs)) || more;
    }
    return { more };
  }

  /** Returns whether all tables are done. A locked table waits for the next run. */
  async #summarize(database: Database, index: TimeIndex, endMs: number): Promise<boolean> {
    const { id, blocks, blocksPerRange } = index;
    const end = blocks - (blocks % blocksPerRange);
    let from = this.#next.get(id) ?? 0;
    // The table was emptied, or is another one.
    if (from > end) from = 0;
    while (from < end) {
      if (performance.now() >= endMs) return false;
      const beyond = Math.min(from + RANGES_AT_ONCE * blocksPerRange, end);
      if (!(await isSummarized(database, index, from, beyond - blocksPerRange))) return false;
      from = beyond;
      this.#next.set(id, from);
    }
    return true;
  }
}

/** False if another session has locked the table. */
async function isSummarized(
  database: Database,
  index: TimeIndex,
  from: number,
  to: number,
): Promise<boolean> {
  try {
    return await database.transaction((tx) => summarizeRanges(tx, index, from, to));
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}
