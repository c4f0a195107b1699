/**
 * Runs long work in steps and serves requests between them. The work takes at most a third of the
 * time, so that requests do not queue behind it.
 */
import { setTimeout as rest } from 'node:timers/promises';

/** Work that yields every few milliseconds. */
export type Steps<Result> = Generator<void, Result, void>;

const REST_PER_STEP = 2;
/** A transaction may be open meanwhile. */
const REST_MAX_MS = 1_000;

export async function runYielding<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const startedMs = performance.now();
    const step = steps.next();
    if (step.done === true) return step.value;
    await restAfter(startedMs);
  }
}

/** Rounds up, because a timer drops the fraction of a millisecond. */
async function restAfter(startedMs: number): Promise<void> {
  const restMs = Math.ceil(REST_PER_STEP * (performance.now() - startedMs));
  await rest(Math.min(restMs, REST_MAX_MS));
}
