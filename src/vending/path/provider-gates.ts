/**
 * A gate for each provider, for what merchants ask it beside their purchases. Its places follow
 * what the provider takes, which its settings may change while the gateway runs; a provider that
 * comes meanwhile has one too.
 */
import type { Environment } from '../../kernel/environment.ts';
import { FairGate, type GateLimits } from '../../kernel/fair-gate.ts';
import type { Provider } from '../../providers/provider.ts';

export type ProviderGateTerms = {
  /** How many may run at once at a provider. */
  readonly placesAt: (provider: Provider) => number;
  /** How many may wait for one of them. */
  readonly waiting: number;
};

type Present = { readonly gate: FairGate<Environment>; places: number };

export class ProviderGates {
  readonly #providers: ReadonlyMap<string, Provider>;
  readonly #terms: ProviderGateTerms;
  readonly #gates = new Map<string, Present>();

  constructor(providers: ReadonlyMap<string, Provider>, terms: ProviderGateTerms) {
    this.#providers = providers;
    this.#terms = terms;
  }

  /** Undefined where there is no such provider. */
  of(name: string): FairGate<Environment> | undefined {
    const provider = this.#providers.get(name);
    if (provider === undefined) return undefined;
    const places = this.#terms.placesAt(provider);
    const present = this.#gates.get(name);
    if (present === undefined) {
      const gate = new FairGate<Environment>(this.#limitsOf(places));
      this.#gates.set(name, { gate, places });
      return gate;
    }
    if (present.places !== places) {
      present.places = places;
      present.gate.setLimits(this.#limitsOf(places));
    }
    return present.gate;
  }

  #limitsOf(places: number): GateLimits<Environment> {
    const { waiting } = this.#terms;
    return { atOnce: places, pools: { live: { places, waiting }, test: { places, waiting } } };
  }
}
