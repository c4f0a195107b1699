/**
 * After an upgrade from a version whose outcomes said less: completes them in the background, and
 * knows which lists can be told meanwhile.
 *
 * Guarantees: a list that is told is right; it goes on wherever it was cut short; no statement of
 * it takes long; at least half of the time is left to purchases.
 */
import type { Queries, Sql } from '../../db/database.ts';
import { workHalfTime } from '../../kernel/half-time.ts';
import type { VendStatus } from '../vend/vend.ts';
import { completeSlice, hasIncomplete, isCompletionDone } from './complete-listed-store.ts';

const ROWS_PER_SLICE = 1_000;

export class ListCompletion {
  readonly #rowsPerSlice: number;
  /** For good: new rows are stored complete. */
  #done = false;

  constructor(rowsPerSlice = ROWS_PER_SLICE) {
    this.#rowsPerSlice = rowsPerSlice;
  }

  get isDone(): boolean {
    return this.#done;
  }

  /** Does what there is to do for some seconds. */
  async run(database: Queries): Promise<void> {
    if (this.#done) return;
    const end = await workHalfTime(() => database.transaction((tx) => completeSlice(tx, this.#rowsPerSlice)));
    this.#done = end === 'done';
  }

  /** Whether purchases of a merchant are still to be completed, in the snapshot of a list. */
  async isUnderWay(sql: Sql, merchantId: number, status: VendStatus | undefined): Promise<boolean> {
    if (this.#done) return false;
    this.#done = await isCompletionDone(sql);
    return !this.#done && (await hasIncomplete(sql, merchantId, status));
  }
}

/** Before a process starts: does all of a small installation, and the beginning of others. */
export async function beginCompletion(database: Queries): Promise<void> {
  // A slice of each table.
  for (let slice = 0; slice < 2; slice += 1) {
    if (await isCompletionDone(database)) return;
    await database.transaction((tx) => completeSlice(tx, ROWS_PER_SLICE));
  }
}
