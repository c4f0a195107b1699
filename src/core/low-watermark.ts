/**
 * The lower bound of a scan over rows that go in the order of a number. What is gone lies dead in
 * the index while anybody holds a snapshot, and a scan from the start would walk over all of it
 * each time. So each scan begins where the last one ended.
 *
 * A row may become visible under the bound, for its number was drawn before it was committed. So
 * now and then a scan begins at the start again: a full look.
 */

/** Full looks never take more than so small a part of the time, however much lies dead. */
const REST_PER_LOOK = 20;

/** When the next full look is due. */
export class FullLooks {
  readonly #everyMs: number;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** `work` is told whether it is a full look. */
  async look<T>(work: (full: boolean) => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    const full = startedMs >= this.#nextMs;
    const result = await work(full);
    const nowMs = performance.now();
    if (full) this.#nextMs = nowMs + Math.max(this.#everyMs, REST_PER_LOOK * (nowMs - startedMs));
    return result;
  }
}

export class LowWatermark {
  readonly #looks = new FullLooks(60_000);
  #bound = 0n;

  /**
   * `work` takes what is above the bound, and gives how far it came; undefined where it took
   * nothing.
   */
  async look(work: (above: bigint) => Promise<bigint | undefined>): Promise<void> {
    const reached = await this.#looks.look((full) => work(full ? 0n : this.#bound));
    if (reached !== undefined && reached > this.#bound) this.#bound = reached;
  }
}
