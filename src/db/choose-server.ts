/** Which of several servers to try next, after what was seen of each. */

/** A server that was no good is tried after the others for so long. */
const RECHECK_MS = 10_000;

/**
 * The place in the list: the first that was not found to be no good a moment ago, as libpq takes
 * them in order. Where all were, the one whose last try is the oldest: any may have become the
 * primary since. `faultedAtMs` has an item for each server, undefined where there was no fault.
 */
export function chooseServer(faultedAtMs: readonly (number | undefined)[], nowMs: number): number {
  const sound = faultedAtMs.findIndex((atMs) => atMs === undefined || nowMs - atMs >= RECHECK_MS);
  if (sound !== -1) return sound;
  let oldest = 0;
  for (const [index, atMs = 0] of faultedAtMs.entries()) {
    if (atMs < (faultedAtMs[oldest] ?? 0)) oldest = index;
  }
  return oldest;
}
