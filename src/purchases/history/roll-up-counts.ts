/**
 * Adds what batches left to the counters of purchases, in the background.
 *
 * Guarantees: a number (counter plus deltas, read in one snapshot) is right before, during and
 * after; each delta is taken once, also when several processes roll up at once; one run takes a
 * bounded number. While somebody holds a snapshot, deltas that were taken are walked over again in
 * each round through them: so rounds never take more than a twentieth of the time.
 */
import type { Database } from '../../db/database.ts';
import { type CountPlace, consumeCountDeltas, firstCountPlace } from './purchase-count-store.ts';

/** Some milliseconds of work, and more than a second's batches leave in two. */
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

  /** Gives how many deltas it took, and whether there may be more. */
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
