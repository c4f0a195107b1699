/**
 * How fast a job that adds up behind the purchases goes: a slice of some milliseconds, and then a
 * pause that is several times as long. While a slice is added, purchases share the processors with
 * it, and behind a long one they would queue.
 */
import { setTimeout as wait } from 'node:timers/promises';

/** What comes later is for the next run, so that a stop does not wait for long. */
const RUN_MS = 400;
const PAUSE_PER_SLICE = 8;
const PAUSE_MAX_MS = 300;
const REST_MS = 2_000;

export class AddingPace {
  readonly #isAlone: boolean;
  #startedMs = 0;
  #sliceStartedMs = 0;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  /** `isAlone`: nothing is sold meanwhile, so that it never rests. */
  constructor({ isAlone = false }: { readonly isAlone?: boolean } = {}) {
    this.#isAlone = isAlone;
  }

  /** Begins a run and its first slice. False where the job must rest still. */
  start(): boolean {
    this.#startedMs = performance.now();
    this.#sliceStartedMs = this.#startedMs;
    return this.#startedMs >= this.#restUntilMs;
  }

  /**
   * After a slice. Resolves when the next one may begin, with true; or with false, where nothing is
   * left or the run has had its time.
   */
  async goOn({ isBehind }: { readonly isBehind: boolean }): Promise<boolean> {
    const nowMs = performance.now();
    if (!isBehind || nowMs - this.#startedMs >= RUN_MS) return false;
    if (!this.#isAlone) await wait(this.#pauseMs(nowMs));
    this.#sliceStartedMs = performance.now();
    return true;
  }

  /** Ends a run. `isBehind`: there is more to add. */
  rest({ isBehind }: { readonly isBehind: boolean }): void {
    if (this.#isAlone) return;
    const nowMs = performance.now();
    this.#restUntilMs = nowMs + (isBehind ? this.#pauseMs(nowMs) : REST_MS);
  }

  #pauseMs(nowMs: number): number {
    return Math.min(PAUSE_PER_SLICE * (nowMs - this.#sliceStartedMs), PAUSE_MAX_MS);
  }
}

const START_S = 0.25;
/** Each slice costs some milliseconds whatever it has: shorter ones would fall behind. */
const MIN_S = 0.05;
const AIM_MS = 40;
/** Of fewer rows the time says nothing: it is what each slice costs. */
const ROWS_THAT_TELL = 100;
const GROWTH_MAX = 4;
const SHRINKING_MAX = 8;

/** What is known of a slice that was added. `seconds`: of purchases, as many as it had. */
export type AddedSlice = { readonly rows: number; readonly seconds: number; readonly isLast: boolean };

type Measured = AddedSlice & { readonly tookMs: number };

/** How many seconds of purchases a slice has, by how long the one before took. */
export class SliceLength {
  readonly #maxS: number;
  readonly #aimMs: number;
  #seconds = START_S;

  /** Where there is little, slices get longer, up to `maxS`. `aimMs`: how long one should take. */
  constructor(maxS: number, aimMs = AIM_MS) {
    this.#maxS = maxS;
    this.#aimMs = aimMs;
  }

  get seconds(): number {
    return this.#seconds;
  }

  /** The last slice of a round has what is left: it tells when that was too much, and no more. */
  measure({ tookMs, rows, seconds, isLast }: Measured): void {
    const right = rows < ROWS_THAT_TELL ? Number.POSITIVE_INFINITY : (seconds * this.#aimMs) / tookMs;
    if (isLast && right >= this.#seconds) return;
    const least = Math.max(seconds / SHRINKING_MAX, MIN_S);
    const most = Math.min(this.#seconds * GROWTH_MAX, this.#maxS);
    this.#seconds = Math.min(Math.max(right, least), most);
  }
}

/** Adds a slice of that length, and measures it. */
export async function measured<S extends AddedSlice>(
  length: Pick<SliceLength, 'measure'>,
  add: () => Promise<S>,
): Promise<S> {
  const startedMs = performance.now();
  const slice = await add();
  length.measure({ ...slice, tookMs: performance.now() - startedMs });
  return slice;
}
