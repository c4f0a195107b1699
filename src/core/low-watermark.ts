/**
 * The lower bound of repeated scans over rows in the order of a number. Deleted rows stay in the
 * index while any transaction holds a snapshot, and a scan from the start would read all of them.
 * So each scan begins where the last one ended.
 *
 * A row can become visible below the bound, because its number was drawn before it was committed.
 * So some scans begin at the start again: full scans.
 */

/** The maximum fraction of the time that full scans take, however many dead rows there are. */
const REST_PER_LOOK = 20;

/** Decides when the next full scan is due. */
export class FullLooks {
  readonly #everyMs: number;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** Runs `work`, which receives whether this is a full scan. */
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

  /** Runs `work` above the bound. It returns how far it got, or undefined if it found no rows. */
  async look(work: (above: bigint) => Promise<bigint | undefined>): Promise<void> {
    const reached = await this.#looks.look((full) => work(full ? 0n : this.#bound));
    if (reached !== undefined && reached > this.#bound) this.#bound = reached;
  }
}
