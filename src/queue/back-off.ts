/**
 * How long an item of a queue waits before it is tried again. Pure. `tries` counts the tries so
 * far, from 1.
 */

/** The first pause, doubled after each try up to the longest. It never gives up. */
export function doublingPause(firstMs: number, longestMs: number): (tries: number) => number {
  return (tries) => Math.min(firstMs * 2 ** Math.max(Math.min(tries, 20) - 1, 0), longestMs);
}

/** The listed pauses in order. Undefined after the last one: the item is given up. */
export function listedPause(pausesMs: readonly number[]): (tries: number) => number | undefined {
  return (tries) => pausesMs[tries - 1];
}
