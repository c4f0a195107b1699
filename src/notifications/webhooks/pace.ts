/**
 * Gives purchases precedence. While many purchases arrive, or this process is almost always busy,
 * only a limited number of events is sent per second. The others wait in the feed for at most five
 * minutes. Live and test have their own numbers, and merchants of an environment are served in
 * turn.
 */
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { type Environment, environments } from '../../core/environment.ts';
import type { FeedOwner } from '../events/event.ts';

const WINDOW_MS = 250;
const BUSY = 0.75;
/** Feed positions a second. A purchase takes one or two. */
const BUSY_POSITIONS_PER_S = 1_500;
const BUSY_PER_WINDOW: Readonly<Record<Environment, number>> = { live: 25, test: 5 };
const WAITS_MAX_MS = 300_000;

type Waiter = {
  readonly at: Date;
  readonly isOver: () => boolean;
  readonly go: (isSent: boolean) => void;
};

/** The waiting events of an environment. The merchant whose turn is next comes first. */
type Line = Map<number, Waiter[]>;

export class Pace {
  readonly #positionsPerS: () => number;
  readonly #lines: Readonly<Record<Environment, Line>> = { live: new Map(), test: new Map() };
  readonly #taken: Record<Environment, number> = { live: 0, test: 0 };
  #since: EventLoopUtilization = performance.eventLoopUtilization();
  #windowEndsMs = 0;
  #isBusy = false;
  #isTimed = false;

  /** `positionsPerS` returns how many feed positions are assigned a second. */
  constructor(positionsPerS: () => number) {
    this.#positionsPerS = positionsPerS;
  }

  /**
   * Waits until an event of that time may be sent. False once `isOver` holds: the event must not be
   * sent then.
   */
  async turn({ merchantId, environment }: FeedOwner, at: Date, isOver: () => boolean): Promise<boolean> {
    if (performance.now() >= this.#windowEndsMs) this.#begin();
    const line = this.#lines[environment];
    const isFree = line.size === 0 && this.#taken[environment] < BUSY_PER_WINDOW[environment];
    if (!this.#isBusy || isFree || isOld(at)) {
      this.#taken[environment] += 1;
      return true;
    }
    return await new Promise((resolve) => {
      const waiter = { at, isOver, go: resolve };
      const own = line.get(merchantId);
      if (own === undefined) line.set(merchantId, [waiter]);
      else own.push(waiter);
      this.#serveAtEnd();
    });
  }

  #serveAtEnd(): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    setTimeout(() => {
      this.#isTimed = false;
      if (performance.now() >= this.#windowEndsMs) this.#begin();
      if (environments.some((environment) => this.#lines[environment].size > 0)) this.#serveAtEnd();
    }, this.#windowEndsMs - performance.now());
  }

  #begin(): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#since);
    this.#isBusy = utilization > BUSY || this.#positionsPerS() > BUSY_POSITIONS_PER_S;
    this.#since = now;
    this.#windowEndsMs = performance.now() + WINDOW_MS;
    for (const environment of environments) {
      this.#taken[environment] = 0;
      this.#serve(environment);
    }
  }

  #serve(environment: Environment): void {
    const line = this.#lines[environment];
    for (const [merchantId, waiters] of line) {
      const kept = waiters.filter((waiter) => {
        const isKept = this.#isBusy && !isOld(waiter.at) && !waiter.isOver();
        if (!isKept) this.#go(environment, waiter);
        return isKept;
      });
      if (kept.length === 0) line.delete(merchantId);
      else line.set(merchantId, kept);
    }
    while (this.#taken[environment] < BUSY_PER_WINDOW[environment]) {
      const [next] = line;
      if (next === undefined) return;
      const [merchantId, [first, ...others]] = next;
      line.delete(merchantId);
      if (others.length > 0) line.set(merchantId, others);
      if (first !== undefined) this.#go(environment, first);
    }
  }

  #go(environment: Environment, { isOver, go }: Waiter): void {
    const isSent = !isOver();
    if (isSent) this.#taken[environment] += 1;
    go(isSent);
  }
}

function isOld(at: Date): boolean {
  return Date.now() - at.getTime() > WAITS_MAX_MS;
}
