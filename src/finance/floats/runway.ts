/**
 * Estimates how long a float lasts. Pure. Sales depend on the hour of the day, so a mean over a
 * night would be too low for the next day. Each coming hour is expected to cost the mean of that
 * hour of the day over the last days, scaled by the recent pace of sales.
 */

/** The cost of a whole hour, in kobo. */
export type HourSpent = { readonly hour: Date; readonly cost: bigint };

export type Runway = {
  /** Undefined if no spending is known; `Infinity` for more than two weeks. */
  readonly hours: number | undefined;
  /** The number of hours that the estimate is based on. */
  readonly hoursKnown: number;
  /** `hour_of_day`, or `mean` if less than a day is known. */
  readonly by: 'hour_of_day' | 'mean' | 'nothing';
};

const HOUR_MS = 3_600_000;
const HOURS_OF_DAY = 24;
const AHEAD_MAX_HOURS = 14 * HOURS_OF_DAY;
/** How many of the last hours give the recent pace. */
const LATE_HOURS = 3;
const PACE = { least: 0.5, most: 3 };

/** Estimates the runway. `spent` are the hours before `now` in their order, each once. */
export function runwayOf(float: bigint, spent: readonly HourSpent[], now: Date): Runway {
  const hoursKnown = spent.length;
  const costs = spent.map(({ hour, cost }) => ({ ofDay: ofDay(hour), cost: Number(cost) }));
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= 0) return { hours: undefined, hoursKnown, by: 'nothing' };
  const mean = total / hoursKnown;
  const isByHour = hoursKnown >= HOURS_OF_DAY;
  const usual = isByHour ? meansByHour(costs, mean) : new Map<number, number>();
  const usualAt = (hour: number): number => usual.get(hour) ?? mean;
  const late = costs.slice(-LATE_HOURS);
  const usualLate = late.reduce((sum, { ofDay: hour }) => sum + usualAt(hour), 0);
  const soldLate = late.reduce((sum, { cost }) => sum + cost, 0);
  const pace = isByHour && usualLate > 0 ? clamp(soldLate / usualLate) : 1;
  const by = isByHour ? 'hour_of_day' : 'mean';
  return { hours: walkAhead(Number(float), now, (hour) => pace * usualAt(hour)), hoursKnown, by };
}

function meansByHour(
  costs: readonly { readonly ofDay: number; readonly cost: number }[],
  mean: number,
): Map<number, number> {
  const means = new Map<number, number>();
  for (let hour = 0; hour < HOURS_OF_DAY; hour += 1) {
    const same = costs.filter(({ ofDay: one }) => one === hour);
    const sum = same.reduce((total, { cost }) => total + cost, 0);
    means.set(hour, same.length === 0 ? mean : sum / same.length);
  }
  return means;
}

function walkAhead(float: number, now: Date, costAt: (hour: number) => number): number {
  let left = float;
  let hours = 0;
  // The rest of the current hour, then whole hours.
  let length = 1 - (now.getTime() % HOUR_MS) / HOUR_MS;
  let at = now;
  while (hours < AHEAD_MAX_HOURS) {
    const cost = costAt(ofDay(at)) * length;
    if (cost >= left && cost > 0) return Math.max(0, hours + (length * left) / cost);
    left -= cost;
    hours += length;
    at = new Date(at.getTime() + length * HOUR_MS);
    length = 1;
  }
  return Number.POSITIVE_INFINITY;
}

/** Returns the hour in UTC: only the comparison of equal hours matters. */
function ofDay(at: Date): number {
  return at.getUTCHours();
}

function clamp(pace: number): number {
  return Math.min(PACE.most, Math.max(PACE.least, pace));
}
