/**
 * Leaves the time to purchases: while very many come in, or this process is nearly busy all the
 * time, only so many events are sent a second. The others wait in the feed until there is room, for
 * some minutes at most: what is older is sent all the same.
 */
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const WINDOW_MS = 250;
const BUSY = 0.75;
/** Of places in feeds: a purchase takes one or two. */
const BUSY_PLACES_PER_S = 1_500;
const BUSY_PER_WINDOW = 25;
const WAITS_MAX_MS = 300_000;

export class Pace {
  readonly #placesPerS: () => number;
  #since: EventLoopUtilization = performance.eventLoopUtilization();
  #windowEndsMs = 0;
  #isBusy = false;
  #taken = 0;

  /** `placesPerS` is how fast places in feeds are taken. */
  constructor(placesPerS: () => number) {
    this.#placesPerS = placesPerS;
  }

  /** Resolves when an event of that time may be sent, or with false once `isOver` holds. */
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
    this.#isBusy = utilization > BUSY || this.#placesPerS() > BUSY_PLACES_PER_S;
    this.#since = now;
    this.#windowEndsMs = nowMs + WINDOW_MS;
    this.#taken = 0;
  }
}
