/**
 * Counts the results of calls to each provider in this process, by minute, for an hour. In memory,
 * because every purchase and query passes here.
 */
import type { PurchaseEvents } from '../engine/purchase-events.ts';

/**
 * - `success`: delivered.
 * - `failed`: refused by a fault of the provider or of our account there.
 * - `refused`: refused by a fault of the order; not counted against the provider.
 * - `accepted`: it is working on the order, or does not know it: an answer that decides nothing.
 * - `unknown`: no clear answer: silence, an error, an unrecognised answer.
 * - `unreachable`: no connection.
 */
export const callResults = ['success', 'failed', 'refused', 'accepted', 'unknown', 'unreachable'] as const;
export type CallResult = (typeof callResults)[number];
export type CallCount = Readonly<Record<CallResult, number>>;

type Answered = Parameters<PurchaseEvents['onAnswer']>[0];

const MINUTE_MS = 60_000;
const MINUTES = 60;

/** The code of a connector for a call without a connection. */
const UNREACHABLE = 'unreachable';
/** No call was made: the breaker is open, or the limiter is full. */
const uncalled: ReadonlySet<string> = new Set(['not_queried', 'not_configured']);

/** Undefined for calls that are not about an order, and if the provider was not called. */
export function resultOf({
  operation,
  kind,
  code = '',
  fault,
  isUncalled,
}: Answered): CallResult | undefined {
  if ((operation !== 'purchase' && operation !== 'query') || isUncalled === true) return undefined;
  switch (kind) {
    case 'success':
      return 'success';
    case 'failed':
      return fault === 'provider' ? 'failed' : 'refused';
    case 'accepted':
    case 'not_found':
      return 'accepted';
    case 'unknown':
      if (code === UNREACHABLE) return 'unreachable';
      return uncalled.has(code) ? undefined : 'unknown';
    default:
      return code === UNREACHABLE ? 'unreachable' : undefined;
  }
}

const allAnswered = { calls: 0, sinceMs: 0 } as const;

type Past = { readonly result: CallResult; readonly atMs: number };

type Minute = { readonly minute: number; readonly counts: Record<CallResult, number> };

type ProviderCalls = {
  /** By `minute % MINUTES`. */
  readonly minutes: (Minute | undefined)[];
  calls: number;
  lastCall: Past | undefined;
  lastAnswer: Past | undefined;
  /** The calls since then without an answer, and when the first of them ended. */
  unanswered: { readonly calls: number; readonly sinceMs: number };
};

const answered: ReadonlySet<CallResult> = new Set(['success', 'failed', 'refused', 'accepted']);

function noneYet(): Omit<ProviderCalls, 'minutes'> {
  return { calls: 0, lastCall: undefined, lastAnswer: undefined, unanswered: allAnswered };
}

export class CallCounts {
  readonly #elapsedMs: () => number;
  readonly #calls = new Map<string, ProviderCalls>();

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  readonly onAnswer = (event: Answered): void => {
    const result = resultOf(event);
    if (result === undefined) return;
    const calls = this.#of(event.provider);
    const atMs = this.#elapsedMs();
    this.#minute(calls, atMs)[result] += 1;
    calls.calls += 1;
    calls.lastCall = { result, atMs };
    if (answered.has(result)) {
      calls.lastAnswer = calls.lastCall;
      calls.unanswered = allAnswered;
    } else {
      const { calls: before, sinceMs } = calls.unanswered;
      calls.unanswered = { calls: before + 1, sinceMs: before === 0 ? atMs : sinceMs };
    }
  };

  /** The counts of the current minute and those before it, `minutes` in all. */
  within(provider: string, minutes: number): CallCount {
    const sum = noCalls();
    const newest = Math.floor(this.#elapsedMs() / MINUTE_MS);
    for (const past of this.#calls.get(provider)?.minutes ?? []) {
      if (past === undefined || past.minute <= newest - minutes) continue;
      for (const result of callResults) sum[result] += past.counts[result];
    }
    return sum;
  }

  /** All calls so far, and the last ones by `elapsedMs`. */
  last(provider: string): Omit<ProviderCalls, 'minutes'> {
    return this.#calls.get(provider) ?? noneYet();
  }

  #of(provider: string): ProviderCalls {
    let calls = this.#calls.get(provider);
    if (calls === undefined) {
      calls = { minutes: new Array<Minute | undefined>(MINUTES), ...noneYet() };
      this.#calls.set(provider, calls);
    }
    return calls;
  }

  #minute({ minutes }: ProviderCalls, atMs: number): Record<CallResult, number> {
    const minute = Math.floor(atMs / MINUTE_MS);
    const place = minute % MINUTES;
    const present = minutes[place];
    if (present?.minute === minute) return present.counts;
    const counts = noCalls();
    minutes[place] = { minute, counts };
    return counts;
  }
}

export function noCalls(): Record<CallResult, number> {
  return { success: 0, failed: 0, refused: 0, accepted: 0, unknown: 0, unreachable: 0 };
}
