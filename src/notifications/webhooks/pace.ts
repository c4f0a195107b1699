/**
 * Gives purchases precedence. While many purchases arrive, or this process is almost always busy,
 * only a limited number of events is sent per second. The others wait in the feed for at most five
 * minutes.
 */
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const WINDOW_MS = 250;
const BUSY = 0.75;
/** Feed positions a second. A purchase takes one or two. */
const BUSY_POSITIONS_PER_S = 1_500;
const BUSY_PER_WINDOW = 25;
const WAITS_MAX_MS = 300_000;

export class Pace {
  readonly #positionsPerS: () => number;
  #since: EventLoopUtilization = performance.eventLoopUtilization();
  #windowEndsMs = 0;
  #isBusy = false;
  #taken = 0;

  /** `positionsPerS` returns how many feed positions are assigned a second. */
  constructor(positionsPerS: () => number) {
    this.#positionsPerS = positionsPerS;
  }

  /**
   * Waits until an event of that time may be sent. False once `isOver` holds: the event must not be
   * sent then.
   */
  async turn(at: Date, isOver: () => boolean): Promise<boolean> {
    for (;;) {
      const nowMs = performance.now();
      if (nowMs >= this.#windowEndsMs) this.#begin(nowMs);
      const isOld = Date.now() - at.getTime() > WAITS_MAX_MS;
      if (!this.#isBusy || isOld || this.#taken < BUSY_PER_WINDOW) break;
      await sleep(this.#windowEndsMs - nowMs);
      if (isOver()) return false;
    }
    this.#taken += 1;
    return true;
  }

  #begin(nowMs: number): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#since);
    this.#isBusy = utilization > BUSY || this.#positionsPerS() > BUSY_POSITIONS_PER_S;
    this.#since = now;
    this.#windowEndsMs = nowMs + WINDOW_MS;
    this.#taken = 0;
  }
}
