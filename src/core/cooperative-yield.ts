/**
 * Long work in steps: between them requests are served. It takes a third of the time at most, so
 * that they do not queue behind it.
 */
import { setTimeout as rest } from 'node:timers/promises';

/** Yields where a step of a few milliseconds ends. */
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

/** A timer drops the part of a millisecond. */
async function restAfter(startedMs: number): Promise<void> {
  const restMs = Math.ceil(REST_PER_STEP * (performance.now() - startedMs));
  await rest(Math.min(restMs, REST_MAX_MS));
}
