/**
 * How long a float lasts. Pure. Sales go by the hour of the day, so a mean over a night would say
 * that a float lasts for days, in the morning of its last one. Each hour to come is taken to cost
 * what the same hour of the day cost in the mean of the last days, times how much more or less than
 * usual was sold of late.
 */

/** What a whole hour cost, in kobo. */
export type HourSpent = { readonly hour: Date; readonly cost: bigint };

export type Runway = {
  /** Undefined: nothing is known to be spent. `Infinity` stands for more than two weeks. */
  readonly hours: number | undefined;
  /** Of how many hours it was judged. */
  readonly hoursKnown: number;
  /** `hour_of_day`, or `mean` where less than a day is known. */
  readonly by: 'hour_of_day' | 'mean' | 'nothing';
};

const HOUR_MS = 3_600_000;
const HOURS_OF_DAY = 24;
const AHEAD_MAX_HOURS = 14 * HOURS_OF_DAY;
/** How many of the last hours say whether more is sold than usual. */
const LATE_HOURS = 3;
const PACE = { least: 0.5, most: 3 };

/** `spent` are the hours before `now`, in their order, each once. */
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
  // The rest of the hour that has begun, then whole ones.
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

/** In UTC: only that the same hours are compared matters. */
function ofDay(at: Date): number {
  return at.getUTCHours();
}

function clamp(pace: number): number {
  return Math.min(PACE.most, Math.max(PACE.least, pace));
}
