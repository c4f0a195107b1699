/** The results of an account for one product and network in the last 30 days. */
import type { Environment } from '../../core/environment.ts';

export const MEASURED_DAYS = 30;
/** The time after which an unanswered order counts as unknown for too long, in milliseconds. */
export const LONG_UNKNOWN_MS = 600_000;

/** The counts behind the truth grade. */
export type TruthCounts = {
  /** Orders that it answered finally: delivered and refused. */
  readonly answers: number;
  /** Answers that the account, or its statement, contradicted later. */
  readonly contradicted: number;
  readonly refusals: number;
  /** Refusals of orders that it had delivered. */
  readonly delivered_refusals: number;
  /** Days on which the balance that it reported differed from the books. */
  readonly differing_days: number;
  /** Orders without a final answer for more than 10 minutes. */
  readonly long_unknown: number;
};

export const truthCounts = [
  'answers',
  'contradicted',
  'refusals',
  'delivered_refusals',
  'differing_days',
  'long_unknown',
] as const satisfies readonly (keyof TruthCounts)[];

export type Measure = TruthCounts & {
  readonly environment: Environment;
  readonly provider: string;
  readonly product: string;
  readonly network: string;
  readonly delivered: number;
  /** The mean time to delivery, each counted up to 10 minutes. Null: nothing was delivered. */
  readonly final_ms: number | null;
  /** The sum over deliveries whose cost it reported, in kobo. */
  readonly face_value: bigint;
  readonly cost: bigint;
  /** The money of the account there, in kobo; null if it is unknown. */
  readonly float_left: bigint | null;
  /** How many hours that money lasts; null if it is unknown. */
  readonly float_hours: number | null;
};

/** The share of its answers that delivered, from 0 to 1. Undefined without answers. */
export function successOf({ delivered, answers }: Measure): number | undefined {
  return answers === 0 ? undefined : delivered / answers;
}
