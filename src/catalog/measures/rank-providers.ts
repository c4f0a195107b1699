/**
 * Orders the providers that can serve a purchase by their costs and results. Pure.
 *
 * Guarantees: better figures of a provider, everything else equal, never rank it lower. A provider
 * whose float does not cover the purchase comes after all others, and one that delivers less than
 * half of its orders before only those. A provider with few measurements gets a small share.
 */
import { ENOUGH_ANSWERS } from './truth-grade.ts';

export const choosingStrategies = ['cheapest', 'most_reliable', 'balanced'] as const;
export type ChoosingStrategy = (typeof choosingStrategies)[number];

/** The figures of a provider for one purchase. */
export type Candidate = {
  readonly provider: string;
  /** The expected cost, in kobo. */
  readonly cost: bigint;
  readonly answers: number;
  /** The share of its orders that it delivers, and how far its answers are true: 0 to 1. */
  readonly success: number;
  readonly truth: number;
  /** The mean time to delivery. */
  readonly seconds: number;
  /** In kobo; undefined if it is unknown. */
  readonly floatLeft: bigint | undefined;
  readonly floatHours: number | undefined;
};

/** The figures assumed for an unmeasured provider, and how many answers they weigh. */
const PRIOR = { answers: 10, success: 0.9, seconds: 10 } as const;
/** The percentage of purchases that go first to providers with too few answers for a grade. */
export const TRIAL_PERCENT = 5;
const LEAST_SUCCESS = 0.5;
/** In `balanced` a provider with this delivery time counts half. */
const HALF_AT_SECONDS = 600;
/** In `balanced` a float that lasts for a shorter time than this counts in proportion. */
const FULL_FLOAT_HOURS = 6;

/** Estimates success and time from a measure, if there is one. */
export function expectFrom(
  measured:
    | { readonly delivered: number; readonly answers: number; readonly meanSeconds: number }
    | undefined,
): Pick<Candidate, 'answers' | 'success' | 'seconds'> {
  const { delivered, answers, meanSeconds } = measured ?? { delivered: 0, answers: 0, meanSeconds: 0 };
  return {
    answers,
    success: (delivered + PRIOR.answers * PRIOR.success) / (answers + PRIOR.answers),
    seconds: (delivered * meanSeconds + PRIOR.answers * PRIOR.seconds) / (delivered + PRIOR.answers),
  };
}

/**
 * Returns all candidates, best first. Equal ones keep their order. `chance` is a number derived
 * from the purchase, from 0 to 2³² - 1, which decides whether it tries a provider with few
 * measurements.
 */
export function rankProviders<One extends Candidate>(
  strategy: ChoosingStrategy,
  candidates: readonly One[],
  chance: number,
): readonly One[] {
  const ranked = candidates.toSorted(
    (one, other) => tierOf(one) - tierOf(other) || comparators[strategy](one, other),
  );
  const untried = candidates.filter((one) => tierOf(one) === 0 && isHardlyMeasured(one));
  if (untried.length === 0 || chance % 100 >= TRIAL_PERCENT) return ranked;
  const tried = untried[Math.floor(chance / 100) % untried.length];
  return tried === undefined ? ranked : [tried, ...ranked.filter((one) => one !== tried)];
}

export function isHardlyMeasured({ answers }: Candidate): boolean {
  return answers < ENOUGH_ANSWERS;
}

function tierOf({ floatLeft, cost, success }: Candidate): number {
  if (floatLeft !== undefined && floatLeft < cost) return 2;
  return success < LEAST_SUCCESS ? 1 : 0;
}

type Compare = (one: Candidate, other: Candidate) => number;

const byCost: Compare = (one, other) => (one.cost < other.cost ? -1 : one.cost > other.cost ? 1 : 0);
const byTime: Compare = (one, other) => one.seconds - other.seconds;
const byReliability: Compare = (one, other) => other.success * other.truth - one.success * one.truth;
const byWorth: Compare = (one, other) => worthOf(other) - worthOf(one);

const comparators: Readonly<Record<ChoosingStrategy, Compare>> = {
  cheapest: (one, other) => byCost(one, other) || byReliability(one, other) || byTime(one, other),
  most_reliable: (one, other) => byReliability(one, other) || byTime(one, other) || byCost(one, other),
  balanced: (one, other) => byWorth(one, other) || byCost(one, other),
};

/** Returns the expected delivery for its cost, weighted by time. A ratio, not an amount. */
function worthOf({ cost, success, truth, seconds, floatHours = FULL_FLOAT_HOURS }: Candidate): number {
  const soon = HALF_AT_SECONDS / (HALF_AT_SECONDS + seconds);
  const float = Math.min(1, Math.max(0, floatHours) / FULL_FLOAT_HOURS);
  return (success * truth * soon * float) / Math.max(1, Number(cost));
}
