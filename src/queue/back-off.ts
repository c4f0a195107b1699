/**
 * How long an item waits before it is tried again. Pure. `tries` counts those it has had, from 1.
 */

/** The first pause, twice as long after each try, up to the longest: for ever. */
export function doublingPause(firstMs: number, longestMs: number): (tries: number) => number {
  return (tries) => Math.min(firstMs * 2 ** Math.max(Math.min(tries, 20) - 1, 0), longestMs);
}

/** The pauses one after the other; undefined after the last: it is given up. */
export function listedPause(pausesMs: readonly number[]): (tries: number) => number | undefined {
  return (tries) => pausesMs[tries - 1];
}
