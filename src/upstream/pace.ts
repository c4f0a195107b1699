/**
 * Spaces calls evenly, for upstreams that refuse more than so many a second. The first call goes at
 * once, each further one a step after the one before. A call that would wait too long is refused
 * before it waits.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export type Pace = {
  /** False where the turn would come after `waitMaxMs`, or did not come before the signal. */
  turn(waitMaxMs: number, signal?: AbortSignal): Promise<boolean>;
};

/** `perSecond` 0 sets no pace. */
export function createPace(perSecond: number, elapsedMs: () => number = () => performance.now()): Pace {
  const stepMs = perSecond === 0 ? 0 : 1_000 / perSecond;
  let nextAtMs = 0;
  return {
    turn: async (waitMaxMs, signal) => {
      if (signal?.aborted) return false;
      const nowMs = elapsedMs();
      const waitMs = Math.max(0, nextAtMs - nowMs);
      if (waitMs > waitMaxMs) return false;
      nextAtMs = nowMs + waitMs + stepMs;
      if (waitMs === 0) return true;
      return await sleep(waitMs, true, signal && { signal }).catch(() => false);
    },
  };
}
