/**
 * Delays the refusals of callers that exceed a rate limit. A client that retries immediately would
 * otherwise use the processor time of other callers.
 */
import { limits } from './limits.ts';

/** Returns a function that delays an answer, or sends it immediately when too many wait. */
export function createFloodHold(): (answer: () => void) => void {
  let held = 0;
  return (answer) => {
    if (held >= limits.floodRefusalsHeldMax) {
      answer();
      return;
    }
    held += 1;
    setTimeout(() => {
      held -= 1;
      answer();
    }, limits.floodRefusalHeldMs);
  };
}
