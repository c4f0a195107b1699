/** Background work in slices that leaves half of the time to others. */
import { setTimeout as sleep } from 'node:timers/promises';

const RUN_MS = 3_000;

/** `more` is to be done; `busy`: somebody else is at it, or it cannot go on now. */
export type SliceEnd = 'done' | 'more' | 'busy';

/** Slices for some seconds, as long as there is more; rests as long after each as it took. */
export async function workDutyCycle(slice: () => Promise<SliceEnd>): Promise<SliceEnd> {
  const endMs = performance.now() + RUN_MS;
  for (;;) {
    const startedMs = performance.now();
    const end = await slice();
    const nowMs = performance.now();
    if (end !== 'more' || nowMs >= endMs) return end;
    await sleep(nowMs - startedMs);
  }
}
