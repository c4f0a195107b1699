/**
 * Rolls up the deltas of batches into the counters of purchases, in the background. Guarantees: a
 * count (counter plus deltas, read in one snapshot) is correct before, during and after; each delta
 * is taken once, also with several processes; one run takes a limited number. While a transaction
 * holds an old snapshot, deltas that were taken are read again in each round. So rounds take at
 * most a twentieth of the time.
 */
import type { Database } from '../../db/database.ts';
import { type CountPlace, consumeCountDeltas, firstCountPlace } from './purchase-count-store.ts';

/** Takes some milliseconds, and is more than batches leave in two seconds. */
const DELTAS_PER_RUN_MAX = 2_000;
const REST_PER_ROUND = 20;

export class CountRollUp {
  readonly #deltasMax: number;
  #after: CountPlace = firstCountPlace;
  #roundTookMs = 0;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  constructor(deltasMax = DELTAS_PER_RUN_MAX) {
    this.#deltasMax = deltasMax;
  }

  /** Returns how many deltas it took, and whether there may be more. */
  async run(database: Database): Promise<{ readonly consumed: number; readonly more: boolean }> {
    const startedAt = performance.now();
    if (startedAt < this.#restUntilMs) return { consumed: 0, more: false };
    const { consumed, last } = await database.transaction((tx) =>
      consumeCountDeltas(tx, this.#after, this.#deltasMax),
    );
    const now = performance.now();
    this.#roundTookMs += now - startedAt;
    const more = consumed === this.#deltasMax;
    if (more && last !== undefined) {
      this.#after = last;
    } else {
      this.#after = firstCountPlace;
      this.#restUntilMs = now + REST_PER_ROUND * this.#roundTookMs;
      this.#roundTookMs = 0;
    }
    return { consumed, more };
  }
}
