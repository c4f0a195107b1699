/**
 * Spaces calls evenly, for upstreams that refuse more than so many a second. The first call goes at
 * once, each further one a step after the one before. A call that would wait too long is refused
 * before it waits.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export type Pace = {
  /** False where the turn would come after `waitMaxMs`, or did not come before the signal. */
  turn(waitMaxMs: number, signal?: AbortSignal): Promise<boolean>;
  /** How long one that asks after so many others waits. */
  waitMs(ahead?: number): number;
  /** How many turns come within `withinMs`. */
  turnsWithin(withinMs: number): number;
  /** Takes the next turn, whenever it comes: in so many milliseconds. */
  book(): number;
  /** From the next turn on. */
  set(perSecond: number): void;
};

/** `perSecond` 0 sets no pace. */
export function createPace(perSecond: number, elapsedMs: () => number = () => performance.now()): Pace {
  let stepMs = stepOf(perSecond);
  let nextAtMs = 0;
  const waitMs = (ahead = 0): number => Math.max(0, nextAtMs - elapsedMs()) + ahead * stepMs;
  const book = (): number => {
    const ms = waitMs();
    nextAtMs = elapsedMs() + ms + stepMs;
    return ms;
  };
  return {
    waitMs,
    book,
    turn: async (waitMaxMs, signal) => {
      if (signal?.aborted || waitMs() > waitMaxMs) return false;
      const ms = book();
      if (ms === 0) return true;
      return await sleep(ms, true, signal && { signal }).catch(() => false);
    },
    turnsWithin: (withinMs) => {
      if (stepMs === 0) return Number.POSITIVE_INFINITY;
      const leftMs = withinMs - waitMs();
      return leftMs < 0 ? 0 : Math.floor(leftMs / stepMs) + 1;
    },
    set: (rate) => {
      stepMs = stepOf(rate);
    },
  };
}

function stepOf(perSecond: number): number {
  return perSecond === 0 ? 0 : 1_000 / perSecond;
}
