/** Long work of the process itself, in steps: requests are served between them. */
import { setImmediate as letOthers } from 'node:timers/promises';

/** Yields where a step of a few milliseconds ends. */
export type Steps<Result> = Generator<void, Result, void>;

export async function runInSteps<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await letOthers();
  }
}
