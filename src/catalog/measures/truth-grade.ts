/** Grades how far the answers of an account can be believed, from the counts of 30 days. Pure. */
import { MEASURED_DAYS, type TruthCounts } from './measure.ts';

/** `A`: practically always true. `E`: worse than every limit. */
export const truthGrades = ['A', 'B', 'C', 'D', 'E'] as const;
export type TruthGrade = (typeof truthGrades)[number];

/** The minimum number of answers for a grade, unless a count speaks against the account. */
export const ENOUGH_ANSWERS = 20;
/** The minimum divisor of a share, so that one bad answer among few does not decide the grade. */
const SHARE_OF_AT_LEAST = 50;

/** The highest share, in percent, for A, B, C and D. */
const limits = {
  contradicted: [0.1, 0.5, 2, 5],
  delivered_refusals: [0.1, 0.5, 2, 5],
  differing_days: [0, 4, 10, 25],
  long_unknown: [0.5, 1, 3, 10],
} as const;

type Share = keyof typeof limits;

/** The shares that speak against an account, from 0 to 1. */
function sharesOf(counts: TruthCounts): Readonly<Record<Share, number>> {
  const of = (count: number, all: number): number => Math.min(1, count / Math.max(all, SHARE_OF_AT_LEAST));
  return {
    contradicted: of(counts.contradicted, counts.answers),
    delivered_refusals: of(counts.delivered_refusals, counts.refusals),
    differing_days: Math.min(1, counts.differing_days / MEASURED_DAYS),
    long_unknown: of(counts.long_unknown, counts.answers),
  };
}

/** Returns the grade of the worst share. Undefined while too little is known. */
export function truthGrade(counts: TruthCounts): TruthGrade | undefined {
  const shares = Object.entries(sharesOf(counts)) as [Share, number][];
  if (counts.answers < ENOUGH_ANSWERS && shares.every(([, share]) => share === 0)) return undefined;
  const worst = Math.max(
    ...shares.map(([name, share]) => limits[name].filter((limit) => 100 * share > limit).length),
  );
  return truthGrades[worst];
}

/** How far its answers can be believed, from 0 to 1: the product of (1 - share) of all shares. */
export function truthOf(counts: TruthCounts): number {
  return Object.values(sharesOf(counts)).reduce((truth, share) => truth * (1 - share), 1);
}

/** The counts of several products and networks of one account. Its balance is the same in all. */
export function addTruth(all: readonly TruthCounts[]): TruthCounts {
  const sum = (name: keyof TruthCounts): number => all.reduce((total, one) => total + one[name], 0);
  return {
    answers: sum('answers'),
    contradicted: sum('contradicted'),
    refusals: sum('refusals'),
    delivered_refusals: sum('delivered_refusals'),
    differing_days: Math.max(0, ...all.map((one) => one.differing_days)),
    long_unknown: sum('long_unknown'),
  };
}
