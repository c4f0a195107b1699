/**
 * How fast a job that adds up behind the purchases goes. It does a little and rests, a tenth of the
 * time at most: while it works, purchases share the processors with it. A long run would let them
 * queue.
 */
const RUN_MS = 50;
const REST_PER_RUN = 25;
const REST_BEHIND_MS = 500;
const REST_MS = 2_000;

export class AddingPace {
  #startedMs = 0;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  /** Begins a run. False where the job must rest still. */
  start(): boolean {
    this.#startedMs = performance.now();
    return this.#startedMs >= this.#restUntilMs;
  }

  /** Whether the run has had its time. */
  isOver(): boolean {
    return performance.now() - this.#startedMs >= RUN_MS;
  }

  /** Ends a run. `isBehind`: there is more to add. */
  rest({ isBehind }: { readonly isBehind: boolean }): void {
    const nowMs = performance.now();
    const restMs = REST_PER_RUN * (nowMs - this.#startedMs);
    this.#restUntilMs = nowMs + (isBehind ? Math.min(restMs, REST_BEHIND_MS) : REST_MS);
  }
}

const LITTLE = 1_000;
const MUCH = 3_000;
/** At full load a slice of so many seconds has some thousand purchases. */
const SLICE_MIN_S = 0.25;

/** How many seconds of purchases a slice has, by how many rows were in the one before. */
export class SliceLength {
  #seconds = 5;
  readonly #maxS: number;

  /** Where there is little, slices get longer, up to that. */
  constructor(maxS: number) {
    this.#maxS = maxS;
  }

  get seconds(): number {
    return this.#seconds;
  }

  measure(rows: number): void {
    if (rows < LITTLE) this.#seconds = Math.min(4 * this.#seconds, this.#maxS);
    else if (rows > MUCH) this.#seconds = Math.max(this.#seconds / 2, SLICE_MIN_S);
  }
}
