/**
 * The turns of look-ups at each provider: who a customer is, whether a card can be had. They cost a
 * merchant nothing, so that one could ask without end. Each merchant has a share of what a provider
 * is asked at once, merchants go in turn, and a look-up that a purchase waits for goes first.
 *
 * A provider serves one environment. So test credentials never stand before live ones.
 */
import type { Environment } from '../../kernel/environment.ts';
import { GatewayError } from '../../kernel/errors.ts';
import type { Sharer } from '../../kernel/fair-gate.ts';
import { limits } from '../../kernel/limits.ts';
import type { Provider } from '../../providers/provider.ts';
import { ProviderGates } from './provider-gates.ts';

/** Where the provider names no bound, as one inside this process. */
const AT_ONCE = 64;

/** For whom it is asked. */
export type Asker = {
  readonly sharer: Sharer<Environment>;
  /** A purchase waits for the answer. */
  readonly isPurchase: boolean;
};

export type Lookups = {
  /** What `ask` gives, in its turn. Throws GatewayError `provider_look_ups_full`. */
  run<T>(provider: string, asker: Asker, withinMs: number, ask: () => Promise<T>): Promise<T>;
};

export function openLookups(providers: ReadonlyMap<string, Provider>): Lookups {
  const gates = new ProviderGates(providers, {
    placesAt: ({ capacity }) => capacity?.readsAtOnce ?? AT_ONCE,
    waiting: limits.lookupsWaiting,
  });
  return {
    run: async (provider, { sharer, isPurchase }, withinMs, ask) => {
      const gate = gates.of(provider);
      if (gate === undefined) return await ask();
      const wait = { withinMs: Math.min(withinMs, limits.lookupWaitMs), first: isPurchase };
      return await gate.run(sharer, wait, () => new GatewayError({ code: 'provider_look_ups_full' }), ask);
    },
  };
}
