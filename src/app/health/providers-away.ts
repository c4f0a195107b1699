/**
 * The providers that are unavailable at the moment, by the observations of this process and of all
 * live processes.
 */
import type { Provider } from '../../providers/provider.ts';
import type { CallCounts } from '../../purchases/health/call-counts.ts';
import { checkProvider } from '../../purchases/health/check-provider.ts';
import { type LiveState, summarize } from '../../purchases/health/provider-state.ts';

/** Every call has ended by then. */
const STUCK_MS = 120_000;

type AwaySources = {
  readonly providers: ReadonlyMap<string, Pick<Provider, 'breakerState' | 'limiters'>>;
  readonly calls: Pick<CallCounts, 'last'>;
  readonly elapsedMs: () => number;
};

export class ProvidersAway {
  readonly #sources: AwaySources;
  /**
   * For each provider with waiting calls, the number of finished calls, and since when it is
   * unchanged.
   */
  readonly #full = new Map<string, { readonly calls: number; readonly sinceMs: number }>();

  #last: ReadonlySet<string> = new Set();

  constructor(sources: AwaySources) {
    this.#sources = sources;
  }

  /** The providers that the last check found. Metrics check at each collection. */
  get last(): ReadonlySet<string> {
    return this.#last;
  }

  /** Finds unavailable providers of this process. `states`: the reports of each live process. */
  find(states: readonly LiveState[]): ReadonlySet<string> {
    const names = [...this.#sources.providers.keys()];
    this.#last = new Set(names.filter((name) => this.#isAway(name, states)));
    return this.#last;
  }

  #isAway(name: string, states: readonly LiveState[]): boolean {
    if (this.#sources.providers.get(name)?.breakerState?.() === 'open' || this.#isStuck(name)) return true;
    const summary = summarize(states.filter(({ provider }) => provider === name));
    if (summary === undefined) return false;
    if (summary.float !== null && Number(summary.float.amount) <= 0) return true;
    const verdict = checkProvider(name, summary);
    if (verdict.kind !== 'unwell') return false;
    if (verdict.trouble === 'broken') return summary.broken_in === summary.processes;
    return verdict.trouble === 'silent';
  }

  /** Calls wait for it, and none has ended for longer than any call lasts. */
  #isStuck(name: string): boolean {
    const { providers, calls, elapsedMs } = this.#sources;
    const use = providers.get(name)?.limiters?.orders.use();
    if (use === undefined || use.calls === 0 || use.waiting === 0) {
      this.#full.delete(name);
      return false;
    }
    const { calls: now } = calls.last(name);
    const before = this.#full.get(name);
    if (before?.calls === now) return elapsedMs() - before.sinceMs >= STUCK_MS;
    this.#full.set(name, { calls: now, sinceMs: elapsedMs() });
    return false;
  }
}
