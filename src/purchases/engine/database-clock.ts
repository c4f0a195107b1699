/**
 * Compares the database's clock with that of this process. Ages of purchases are differences of two
 * times of the database, so setting the clock makes all of them older or younger at once.
 * Guarantees: a corrected age is not longer than the real one, whenever the clock was set forward
 * while this process ran.
 */
import type { Clock } from '../../core/clock.ts';

/** The two clocks run unevenly, and a stalled machine reports its readings late. */
const JUMP_MIN_MS = 5_000;
/** No decision depends on an age greater than this. */
const REMEMBERED_MS = 25 * 3_600_000;

type Jump = { readonly atMs: number; readonly aheadMs: number };

export class DatabaseClock {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  /** The lower and upper bound of how far the database's clock is ahead of `elapsedMs`. */
  #ahead: { readonly minMs: number; readonly maxMs: number } | undefined;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #jumps: readonly Jump[] = [];

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock;
  }

  /**
   * Reads the clock through `read`. Returns how far it was set since the last reading. Below 0:
   * back.
   */
  async look(read: () => Promise<number>): Promise<number> {
    const beforeMs = this.#clock.elapsedMs();
    const databaseMs = await read();
    const nowMs = this.#clock.elapsedMs();
    // A concurrent read has reported newer values.
    if (beforeMs < this.#lookedAtMs) return 0;
    this.#lookedAtMs = nowMs;
    const now = { minMs: databaseMs - nowMs, maxMs: databaseMs - beforeMs };
    const last = this.#ahead ?? now;
    this.#ahead = now;
    const aheadMs = Math.max(0, now.minMs - last.maxMs) + Math.min(0, now.maxMs - last.minMs);
    if (Math.abs(aheadMs) < JUMP_MIN_MS) return 0;
    this.#jumps = [...this.#jumps, { atMs: nowMs, aheadMs }].filter(
      ({ atMs }) => nowMs - atMs < REMEMBERED_MS,
    );
    return aheadMs;
  }

  /**
   * Whether the clock was set within `ms`. Then times that other processes wrote before prove
   * nothing.
   */
  wasSetWithin(ms: number): boolean {
    const nowMs = this.#clock.elapsedMs();
    return this.#jumps.some(({ atMs }) => nowMs - atMs <= ms);
  }

  /**
   * An age by the database's clock, as of now, without the time by which the clock was set forward.
   */
  correct(ageMs: number): number {
    const nowMs = this.#clock.elapsedMs();
    // The latest change comes first: an age that does not reach back to it does not reach the
    // others.
    return this.#jumps.toReversed().reduce((age, { atMs, aheadMs }) => {
      const sinceMs = nowMs - atMs;
      return aheadMs > 0 && age > sinceMs ? Math.max(sinceMs, age - aheadMs) : age;
    }, ageMs);
  }

  /** The greatest possible error of an age by the database. */
  aheadMs(): number {
    return this.#jumps.reduce((sum, { aheadMs }) => sum + Math.max(0, aheadMs), 0);
  }
}
