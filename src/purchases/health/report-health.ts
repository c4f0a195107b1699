/**
 * Writes this process's observations of each provider to the database, so that every process knows
 * all of them. A background job runs it every two seconds, outside the path of purchases.
 */

import type { Clock } from '../../core/clock.ts';
import { formatAmount, type Money } from '../../core/money.ts';
import type { Sql } from '../../db/database.ts';
import type { Provider } from '../../providers/provider.ts';
import type { CallCounts } from './call-counts.ts';
import { writeStates } from './health-store.ts';
import type { PastCall, ProviderState } from './provider-state.ts';

/** Our float at a provider, as last read. Times by `Clock.elapsedMs`. */
export type FloatReading = {
  readonly money: Money | undefined;
  readonly readAtMs: number | undefined;
  /** Since when it can no longer be read. */
  readonly failingSinceMs: number | undefined;
};

type HealthSources = {
  readonly sql: Sql;
  readonly gatewayId: string;
  readonly clock: Pick<Clock, 'elapsedMs'>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly counts: CallCounts;
  readonly floatOf: (provider: string) => FloatReading | undefined;
  readonly credentialsVersionOf: (provider: string) => number;
};

export class HealthReport {
  readonly #sources: HealthSources;
  readonly #brokenSince = new Map<string, number>();
  readonly #calls = new Map<string, number>();
  #lastMs: number;

  constructor(sources: HealthSources) {
    this.#sources = sources;
    this.#lastMs = sources.clock.elapsedMs();
  }

  async write(): Promise<void> {
    const { sql, gatewayId } = this.#sources;
    await writeStates(sql, gatewayId, this.look());
  }

  /** As of now. Rates of calls are since the last report. */
  look(): ReadonlyMap<string, ProviderState> {
    const nowMs = this.#sources.clock.elapsedMs();
    const passedS = (nowMs - this.#lastMs) / 1_000;
    this.#lastMs = nowMs;
    return new Map(
      [...this.#sources.providers].map(([name, provider]) => [
        name,
        this.#stateOf(name, provider, nowMs, passedS),
      ]),
    );
  }

  #stateOf(name: string, provider: Provider, nowMs: number, passedS: number): ProviderState {
    const { counts, floatOf, credentialsVersionOf } = this.#sources;
    const { calls, lastCall, lastAnswer, unanswered } = counts.last(name);
    const perSecond = passedS > 0 ? (calls - (this.#calls.get(name) ?? 0)) / passedS : 0;
    this.#calls.set(name, calls);
    const breaker = provider.breakerState?.() ?? 'closed';
    if (breaker === 'closed') this.#brokenSince.delete(name);
    else if (!this.#brokenSince.has(name)) this.#brokenSince.set(name, nowMs);
    const use = provider.limiters?.orders.use();
    const { money, readAtMs, failingSinceMs } = floatOf(name) ?? {};
    return {
      within_1m: counts.within(name, 1),
      within_5m: counts.within(name, 5),
      within_60m: counts.within(name, 60),
      last_call: pastOf(lastCall, nowMs),
      last_answer: pastOf(lastAnswer, nowMs),
      unanswered: {
        calls: unanswered.calls,
        for_ms: unanswered.calls === 0 ? 0 : nowMs - unanswered.sinceMs,
      },
      limiter: {
        calls: use?.calls ?? 0,
        calls_max: use?.callsMax ?? 0,
        waiting: use?.waiting ?? 0,
        per_second: Math.round(10 * perSecond) / 10,
        per_second_max: provider.limiters?.orders.perSecond ?? 0,
      },
      breaker,
      broken_ms: nowMs - (this.#brokenSince.get(name) ?? nowMs),
      float:
        money === undefined || readAtMs === undefined
          ? null
          : { amount: formatAmount(money.amount), currency: money.currency, age_ms: nowMs - readAtMs },
      float_failing_ms: failingSinceMs === undefined ? 0 : Math.max(1, nowMs - failingSinceMs),
      credentials_version: credentialsVersionOf(name),
    };
  }
}

function pastOf(
  past: { readonly result: string; readonly atMs: number } | undefined,
  nowMs: number,
): PastCall | null {
  return past === undefined ? null : { result: past.result, age_ms: nowMs - past.atMs };
}
