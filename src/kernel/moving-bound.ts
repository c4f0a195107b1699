/**
 * The lower bound of a job that takes rows away in the order of a number. What was taken lies dead
 * in the index while anybody holds a snapshot, and a scan from the start would walk over all of it
 * each time. So each run begins where the last one ended.
 *
 * A row may become visible under the bound, for its number was drawn before it was committed. So
 * now and then a run begins at the start again. These full looks never take more than a twentieth
 * of the time, however much lies dead.
 */
const FULL_LOOK_EVERY_MS = 60_000;
const REST_PER_LOOK = 20;

export class MovingBound {
  #bound = 0n;
  #fullLookAtMs = Number.NEGATIVE_INFINITY;

  /**
   * `work` takes what is above the bound, and gives how far it came; undefined where it took
   * nothing.
   */
  async look(work: (above: bigint) => Promise<bigint | undefined>, nowMs = performance.now()): Promise<void> {
    const full = nowMs >= this.#fullLookAtMs;
    const startedAt = performance.now();
    const reached = await work(full ? 0n : this.#bound);
    if (full) {
      const tookMs = performance.now() - startedAt;
      this.#fullLookAtMs = nowMs + Math.max(FULL_LOOK_EVERY_MS, REST_PER_LOOK * tookMs);
    }
    if (reached !== undefined && reached > this.#bound) this.#bound = reached;
  }
}
