/**
 * The turns of look-ups at each provider: who a customer is, whether a card can be had. They cost a
 * merchant nothing, so that one could ask without end. Each merchant has a share of what a provider
 * is asked at once, merchants go in turn, and a look-up that a purchase waits for goes first.
 *
 * A provider serves one environment. So test credentials never stand before live ones.
 */
import { GatewayError } from '../../kernel/errors.ts';
import { FairGate, type Sharer } from '../../kernel/fair-gate.ts';
import { limits } from '../../kernel/limits.ts';
import type { Provider } from '../../providers/provider.ts';

/** Of what a provider is asked at once, a merchant never has more. */
const SHARE = 0.75;
/** Where the provider names no bound, as one inside this process. */
const AT_ONCE = 64;

/** For whom it is asked. */
export type Asker = {
  readonly sharer: Sharer;
  /** A purchase waits for the answer. */
  readonly isPurchase: boolean;
};

export type Lookups = {
  /** What `ask` gives, in its turn. Throws GatewayError `provider_look_ups_full`. */
  run<T>(provider: string, asker: Asker, withinMs: number, ask: () => Promise<T>): Promise<T>;
};

export function openLookups(providers: ReadonlyMap<string, Provider>): Lookups {
  const gates = new Map<string, FairGate>();
  // A provider may come while the gateway runs.
  const gateOf = (name: string): FairGate | undefined => {
    const provider = providers.get(name);
    const present = gates.get(name);
    if (present !== undefined || provider === undefined) return present;
    const gate = openGate(provider.capacity?.readsAtOnce);
    gates.set(name, gate);
    return gate;
  };
  return {
    run: async (provider, { sharer, isPurchase }, withinMs, ask) => {
      const gate = gateOf(provider);
      if (gate === undefined) return await ask();
      const wait = { withinMs: Math.min(withinMs, limits.lookupWaitMs), first: isPurchase };
      return await gate.run(sharer, wait, () => new GatewayError({ code: 'provider_look_ups_full' }), ask);
    },
  };
}

function openGate(atOnce = AT_ONCE): FairGate {
  const running = { all: atOnce, each: Math.max(1, Math.floor(SHARE * atOnce)) };
  const waiting = limits.lookupsWaiting;
  return new FairGate({
    atOnce,
    running: { live: running, test: running },
    waiting: { live: waiting, test: waiting },
  });
}
