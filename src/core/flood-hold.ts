/**
 * Refusals of callers over their rate wait before they are answered. A client that repeats at once
 * would otherwise take the time of others.
 */
import { limits } from './limits.ts';

/** Returns a function that answers later, or at once where many answers wait already. */
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
