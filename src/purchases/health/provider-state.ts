/** The state of a provider as each process sees it, and as all of them together do. Pure. */
import { type CallCount, callResults, noCalls } from './call-counts.ts';

type BreakerState = 'closed' | 'half_open' | 'open';

/** The report of one process about one provider, every two seconds. Ages are as of then. */
export type ProviderState = {
  readonly within_1m: CallCount;
  readonly within_5m: CallCount;
  readonly within_60m: CallCount;
  /** The last call and the last answer. Null: none yet. */
  readonly last_call: PastCall | null;
  readonly last_answer: PastCall | null;
  /** The calls since its last answer, and how long ago the first of them ended. */
  readonly unanswered: { readonly calls: number; readonly for_ms: number };
  /** Purchases and queries: those in progress, the most at once, and those that wait. */
  readonly limiter: {
    readonly calls: number;
    readonly calls_max: number;
    readonly waiting: number;
    readonly per_second: number;
    /** For the whole installation. 0: no limit. */
    readonly per_second_max: number;
  };
  readonly breaker: BreakerState;
  /** The time since it was last closed. */
  readonly broken_ms: number;
  /** Our float there. Null if this process has not read it. */
  readonly float: { readonly amount: string; readonly currency: string; readonly age_ms: number } | null;
  /** The time since it was last readable. 0: it is readable. */
  readonly float_failing_ms: number;
  readonly credentials_version: number;
};

export type PastCall = { readonly result: string; readonly age_ms: number };

/** As of now. */
export type LiveState = ProviderState & {
  readonly provider: string;
  readonly gateway_id: string;
  readonly role: string;
  readonly host: string;
  readonly pid: number;
};

export type ProviderSummary = Omit<ProviderState, 'credentials_version' | 'float_failing_ms'> & {
  /** As reported by every process that ever read it. Null: none did. */
  readonly float_failing_ms: number | null;
  readonly processes: number;
  /** The number of them in which calls are held back. */
  readonly broken_in: number;
  /** The versions that its processes use. More than one while they change. */
  readonly credentials_versions: readonly number[];
};

const breakerRank: Readonly<Record<BreakerState, number>> = { closed: 0, half_open: 1, open: 2 };

/** The state over all live processes. Undefined if none has the provider. */
export function summarize(states: readonly LiveState[]): ProviderSummary | undefined {
  const [first] = states;
  if (first === undefined) return undefined;
  const most = (of: (state: LiveState) => number): number => Math.max(...states.map(of));
  const sum = (of: (state: LiveState) => number): number =>
    states.reduce((total, state) => total + of(state), 0);
  const broken = states.filter(({ breaker }) => breaker !== 'closed');
  return {
    within_1m: addCounts(states.map((state) => state.within_1m)),
    within_5m: addCounts(states.map((state) => state.within_5m)),
    within_60m: addCounts(states.map((state) => state.within_60m)),
    last_call: newest(states.map((state) => state.last_call)),
    last_answer: newest(states.map((state) => state.last_answer)),
    unanswered: {
      calls: sum(({ unanswered }) => unanswered.calls),
      for_ms: most(({ unanswered }) => unanswered.for_ms),
    },
    limiter: {
      calls: sum(({ limiter }) => limiter.calls),
      calls_max: sum(({ limiter }) => limiter.calls_max),
      waiting: sum(({ limiter }) => limiter.waiting),
      per_second: sum(({ limiter }) => limiter.per_second),
      per_second_max: most(({ limiter }) => limiter.per_second_max),
    },
    breaker:
      states.map(({ breaker }) => breaker).toSorted((a, b) => breakerRank[b] - breakerRank[a])[0] ?? 'closed',
    broken_ms: most((state) => state.broken_ms),
    float: newest(states.map((state) => state.float)),
    // A process that can read it knows more than one that cannot.
    float_failing_ms: least(states.filter(reads).map((state) => state.float_failing_ms)),
    processes: states.length,
    broken_in: broken.length,
    credentials_versions: [...new Set(states.map((state) => state.credentials_version))].sort(
      (a, b) => a - b,
    ),
  };
}

function least(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : Math.min(...numbers);
}

/** Only processes that have read a float once can detect that reading fails. */
function reads({ float, float_failing_ms }: LiveState): boolean {
  return float !== null || float_failing_ms > 0;
}

function addCounts(counts: readonly CallCount[]): CallCount {
  const total = noCalls();
  for (const count of counts) for (const result of callResults) total[result] += count[result];
  return total;
}

function newest<Past extends { readonly age_ms: number }>(past: readonly (Past | null)[]): Past | null {
  return past.reduce(
    (found, one) => (found === null || (one !== null && one.age_ms < found.age_ms) ? one : found),
    null,
  );
}

/**
 * Calls that show how well the provider serves. Faults of orders, and orders in progress, do not
 * count.
 */
export function countedCalls({ success, failed, unknown, unreachable }: CallCount): number {
  return success + failed + unknown + unreachable;
}

/** From 0 to 1. Undefined without calls that count. */
export function successRate(count: CallCount): number | undefined {
  const counted = countedCalls(count);
  return counted === 0 ? undefined : count.success / counted;
}

export function answeredCalls({ success, failed, refused, accepted }: CallCount): number {
  return success + failed + refused + accepted;
}
