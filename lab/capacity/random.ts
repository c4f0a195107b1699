/** Random numbers from a seed: the same seed gives the same numbers on every machine. */

export type Random = () => number;

/** Mulberry32: uniform in [0, 1). Good enough for queues, and fast. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The gap between two independent arrivals. */
export function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random());
}

/** A latency with this median and this p99: most are near the median, a few take long. */
export function logNormal(random: Random, p50: number, p99: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  const normal = radius * Math.cos(2 * Math.PI * random());
  return p50 * Math.exp((normal * Math.log(p99 / p50)) / NORMAL_P99);
}

/** How many standard deviations above the mean the 99th percentile of a normal distribution is. */
const NORMAL_P99 = 2.326;
