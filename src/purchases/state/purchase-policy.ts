/**
 * Decides on an answer about a purchase. Pure. The rule "unknown is pending" is in this file. Only
 * an explicit answer of a provider ends a purchase, with two exceptions that are themselves proof:
 * an order that could not be sent for too long, and an order that its provider repeatedly does not
 * know after a grace period.
 */
import { assertNever } from '../../core/errors.ts';
import type { ProviderAnswer } from '../../providers/provider.ts';

/**
 * The answers of providers about a purchase so far; stored, and never forgotten. `delivered`: the
 * current attempt's provider reported success. `delivered_before`: the provider of an earlier
 * attempt did. `acknowledged`: the current attempt's provider reported that it has the order.
 */
export type Evidence = 'none' | 'acknowledged' | 'delivered' | 'delivered_before';

/** The state of a purchase when it was queried. */
export type PurchaseProgress = {
  /** The number of calls that may have reached a provider, including the answered one. */
  readonly attempts: number;
  /**
   * The number of queries answered before this answer, without those that a callback caused. Below
   * 0 while such a query is unanswered before the first wait.
   */
  readonly queries: number;
  /** How many of those answered "not found". */
  readonly notFound: number;
  /** Milliseconds since the current attempt was committed. */
  readonly attemptAgeMs: number;
  /** Milliseconds since the purchase was accepted. */
  readonly ageMs: number;
  /**
   * The part of the attempt's age that comes from a test clock. It counts as waited. Absent: none.
   */
  readonly movedMs?: number | undefined;
  readonly flagged: boolean;
  readonly evidence: Evidence;
  /** It is a success already, and only its goods are queried. */
  readonly final: boolean;
  /** Providers that may serve the purchase, in order. */
  readonly route: readonly string[];
  /** The provider of the current attempt. */
  readonly provider: string;
  /** The providers that refused earlier attempts by a fault of their own. */
  readonly refused: readonly string[];
};

export type PurchaseDecision =
  | { readonly effect: 'succeed'; readonly goodsMissing: false }
  /** Delivered, and goods are missing: query for them in `dueMs`. */
  | { readonly effect: 'succeed'; readonly goodsMissing: true; readonly dueMs: number }
  | { readonly effect: 'fail'; readonly reason: 'refused' | 'not_found' | 'not_sent' }
  /** Query again in `dueMs`. `flag` if an operator must look at it. */
  | { readonly effect: 'wait'; readonly dueMs: number; readonly flag: boolean }
  /** May be sent again, to `provider`, in `dueMs`. */
  | { readonly effect: 'retry'; readonly dueMs: number; readonly provider: string };

const FIRST_QUERY_MS = 5_000;
const QUERY_INTERVAL_MAX_MS = 600_000;
const FLAG_AFTER_MS = 24 * 3_600_000;
/** Between queries once the purchase needs an operator. */
const FLAGGED_INTERVAL_MS = 3_600_000;
const NOT_FOUND_NEEDED = 3;
/** The wait after no provider of the route accepted it: this, then 2 s, 4 s and so on. */
const RESEND_MS = 1_000;
const RESEND_MAX_MS = 30_000;

/** The facts besides the purchase that the decision depends on. */
export type PurchasePatience = {
  /** How long a provider's "not found" is not believed. */
  readonly notFoundGraceMs: number;
  /**
   * How long a purchase waits for goods before it becomes a success without them: a little less
   * than the sync deadline. Infinite: it succeeds only with its goods.
   */
  readonly fulfilmentMs: number;
  /** The age at which a purchase that has provably not been sent is failed. */
  readonly unsentMs: number;
  /** The factor of the waits of this file. Absent: 1. */
  readonly timeScale?: number | undefined;
};

/** `goodsMissing`: the answer is a success and lacks what the product must bring. */
export function decidePurchase(
  answer: ProviderAnswer,
  goodsMissing: boolean,
  progress: PurchaseProgress,
  patience: PurchasePatience,
): PurchaseDecision {
  const { timeScale = 1 } = patience;
  if (timeScale === 1) return decide(answer, goodsMissing, progress, patience);
  const unscaled = {
    ...progress,
    attemptAgeMs: progress.attemptAgeMs / timeScale,
    ageMs: progress.ageMs / timeScale,
    movedMs: (progress.movedMs ?? 0) / timeScale,
  };
  const decision = decide(answer, goodsMissing, unscaled, {
    notFoundGraceMs: patience.notFoundGraceMs / timeScale,
    fulfilmentMs: patience.fulfilmentMs / timeScale,
    unsentMs: patience.unsentMs / timeScale,
  });
  return 'dueMs' in decision ? { ...decision, dueMs: Math.ceil(timeScale * decision.dueMs) } : decision;
}

function decide(
  answer: ProviderAnswer,
  goodsMissing: boolean,
  progress: PurchaseProgress,
  patience: PurchasePatience,
): PurchaseDecision {
  switch (answer.kind) {
    case 'success':
      return goodsMissing
        ? decidePendingFulfilment(progress, patience)
        : { effect: 'succeed', goodsMissing: false };
    case 'failed':
      // Resolve refuses what contradicts an outcome, and raises an alarm.
      if (progress.final) return { effect: 'fail', reason: 'refused' };
      if (isDelivered(progress)) return waitForPerson(progress);
      return answer.fault === 'provider' ? decideRefusal(progress) : { effect: 'fail', reason: 'refused' };
    case 'accepted':
    case 'unknown':
      return decideDoubt(answer, progress, patience);
    case 'not_found':
      return decideNotFound(progress, patience);
    case 'not_sent':
      return isDelivered(progress) ? waitForPerson(progress) : decideNotSent(progress, patience);
    default:
      return assertNever(answer);
  }
}

function decideDoubt(
  answer: Extract<ProviderAnswer, { kind: 'accepted' | 'unknown' }>,
  progress: PurchaseProgress,
  patience: PurchasePatience,
): PurchaseDecision {
  if (answer.kind === 'unknown' && answer.delivered) return waitForPerson(progress);
  // A person must restore the other account. Meanwhile the purchase is queried as before: processes
  // switch to new credentials one after the other, and one of them may still use that account.
  if (answer.kind === 'unknown' && answer.otherAccount && progress.evidence !== 'delivered') {
    return { ...wait(progress), flag: !progress.flagged };
  }
  return progress.evidence === 'delivered' ? decideDelivered(progress, patience) : wait(progress);
}

/**
 * The delivered goods are still missing, so querying continues. A delivery of something else, or a
 * contradiction, is flagged and left to a person.
 */
function decideDelivered(progress: PurchaseProgress, patience: PurchasePatience): PurchaseDecision {
  return progress.flagged && !progress.final
    ? waitForPerson(progress)
    : decidePendingFulfilment(progress, patience);
}

function isDelivered({ evidence }: PurchaseProgress): boolean {
  return evidence === 'delivered' || evidence === 'delivered_before';
}

/** The answer contradicts an earlier one: the money stays held until a person decides. */
function waitForPerson(progress: PurchaseProgress): PurchaseDecision {
  return { effect: 'wait', dueMs: FLAGGED_INTERVAL_MS, flag: !progress.flagged };
}

/**
 * A fault of the provider: providers of the route that have not refused the purchase may take it.
 */
function decideRefusal({ route, provider, refused }: PurchaseProgress): PurchaseDecision {
  const next = nextProvider(route, provider, [...refused, provider]);
  return next === undefined
    ? { effect: 'fail', reason: 'refused' }
    : { effect: 'retry', dueMs: 0, provider: next };
}

/**
 * The first provider after `provider`, in turn, that has not refused; possibly `provider` itself.
 */
function nextProvider(
  route: readonly string[],
  provider: string,
  refused: readonly string[],
): string | undefined {
  const after = route.indexOf(provider) + 1;
  return [...route.slice(after), ...route.slice(0, after)].find((name) => !refused.includes(name));
}

/**
 * Queried while it may wait for its goods. Then the purchase becomes a success, and its goods are
 * queried further.
 */
function decidePendingFulfilment(
  progress: PurchaseProgress,
  { fulfilmentMs }: PurchasePatience,
): PurchaseDecision {
  const { dueMs, flag } = wait(progress);
  const leftMs = fulfilmentMs - progress.ageMs;
  return progress.final || leftMs <= 0
    ? { effect: 'succeed', goodsMissing: true, dueMs }
    : { effect: 'wait', dueMs: Math.min(dueMs, leftMs), flag };
}

/**
 * 5 s, 10 s, 20 s, 40 s … 10 min. After a day the purchase is flagged and queried hourly. Age alone
 * never makes it final.
 */
function wait(progress: PurchaseProgress): Extract<PurchaseDecision, { effect: 'wait' }> {
  if (progress.ageMs >= FLAG_AFTER_MS) {
    return { effect: 'wait', dueMs: FLAGGED_INTERVAL_MS, flag: !progress.flagged };
  }
  return { effect: 'wait', dueMs: intervalMs(progress.queries), flag: false };
}

function decideNotFound(progress: PurchaseProgress, patience: PurchasePatience): PurchaseDecision {
  if (progress.evidence === 'delivered') return decideDelivered(progress, patience);
  const graceLeftMs = patience.notFoundGraceMs - progress.attemptAgeMs;
  if (graceLeftMs <= 0) {
    const { movedMs = 0 } = progress;
    if (!hasWaited(progress.queries, patience.notFoundGraceMs - movedMs)) {
      return { ...wait(progress), dueMs: intervalMs(progress.queries) };
    }
    if (progress.notFound + 1 < NOT_FOUND_NEEDED) {
      const dueMs = Math.max(FIRST_QUERY_MS - movedMs, 0);
      return { effect: 'wait', dueMs, flag: false };
    }
    // A provider that accepted the order and then does not know it has not said that it will not
    // deliver.
    return progress.evidence === 'none' ? { effect: 'fail', reason: 'not_found' } : waitForPerson(progress);
  }
  const next = wait(progress);
  // Not far beyond the end of the grace, because the customer's money is held meanwhile.
  return { ...next, dueMs: Math.min(next.dueMs, Math.max(graceLeftMs, FIRST_QUERY_MS)) };
}

/**
 * Whether the waits between the queries so far add up to at least half the grace, without the last
 * one. A query that a callback caused is not counted. Ages are differences of two times of the
 * database, whose clock may be set forward: then one wait ends at once, and the last one is cut
 * short, but the others are not. So at least a third of the grace has really passed.
 */
function hasWaited(queries: number, graceMs: number): boolean {
  let waitedMs = 0;
  for (let query = 0; query < queries && waitedMs < graceMs; query += 1) waitedMs += intervalMs(query);
  return waitedMs >= graceMs / 2;
}

/** 5 s, 10 s, 20 s, 40 s … 10 min. */
function intervalMs(queries: number): number {
  return Math.min(FIRST_QUERY_MS * 2 ** Math.min(Math.max(queries, 0), 20), QUERY_INTERVAL_MAX_MS);
}

/**
 * An order that was not sent, for whatever reason, is no attempt at the provider. It is tried again
 * until it is too old: at each provider of the route at once, then after increasing waits.
 */
function decideNotSent(progress: PurchaseProgress, { unsentMs }: PurchasePatience): PurchaseDecision {
  const { attempts, ageMs, route, provider, refused } = progress;
  const leftMs = unsentMs - ageMs;
  const next = nextProvider(route, provider, refused);
  if (leftMs <= 0 || next === undefined) return { effect: 'fail', reason: 'not_sent' };
  const rounds = attempts - route.length;
  const dueMs = rounds < 0 ? 0 : Math.min(RESEND_MS * 2 ** Math.min(rounds, 20), RESEND_MAX_MS, leftMs);
  return { effect: 'retry', dueMs, provider: next };
}
