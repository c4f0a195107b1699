/**
 * Leaves the time to purchases: while this process is nearly busy all the time, only so many events
 * are sent a second. The others wait in the feed until there is room.
 */
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const WINDOW_MS = 250;
const BUSY = 0.75;
const BUSY_PER_WINDOW = 25;

export class Pace {
  #since: EventLoopUtilization = performance.eventLoopUtilization();
  #windowEndsMs = 0;
  #isBusy = false;
  #taken = 0;

  /** Resolves when one more may be sent. */
  async turn(): Promise<void> {
    for (;;) {
      const nowMs = performance.now();
      if (nowMs >= this.#windowEndsMs) this.#begin(nowMs);
      if (!this.#isBusy || this.#taken < BUSY_PER_WINDOW) break;
      await sleep(this.#windowEndsMs - nowMs);
    }
    this.#taken += 1;
  }

  #begin(nowMs: number): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#since);
    this.#isBusy = utilization > BUSY;
    this.#since = now;
    this.#windowEndsMs = nowMs + WINDOW_MS;
    this.#taken = 0;
  }
}
