/** Background work in slices with a duty cycle of one half. */
import { setTimeout as sleep } from 'node:timers/promises';

const RUN_MS = 3_000;

/** `more`: work is left. `busy`: another process does the work, or it cannot continue now. */
export type SliceEnd = 'done' | 'more' | 'busy';

/** Runs slices for some seconds while work is left, and rests after each as long as it took. */
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
