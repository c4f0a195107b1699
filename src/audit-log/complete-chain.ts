/**
 * After an upgrade from a version without the chain: gives older entries their links, in the
 * background.
 *
 * Guarantees: it goes on wherever it was cut short, one process at a time is at it, and an
 * operation that ends meanwhile waits for no more than a slice.
 */
import type { Queries } from '../db/database.ts';
import { workHalfTime } from '../kernel/half-time.ts';
import { linkOlder } from './audit-chain-store.ts';

const ENTRIES_PER_SLICE = 1_000;

export class ChainCompletion {
  readonly #entriesPerSlice: number;
  /** For good: new entries have their links. */
  #done = false;

  constructor(entriesPerSlice = ENTRIES_PER_SLICE) {
    this.#entriesPerSlice = entriesPerSlice;
  }

  get isDone(): boolean {
    return this.#done;
  }

  /** Does what there is to do for some seconds; half of the time is left to others. */
  async run(database: Queries): Promise<void> {
    if (this.#done) return;
    const end = await workHalfTime(() => database.transaction((tx) => linkOlder(tx, this.#entriesPerSlice)));
    this.#done = end === 'done';
  }
}
