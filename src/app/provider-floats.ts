/**
 * Our money at each provider, as the provider says. A background job reads it, and the metrics show
 * it. The books do not use it.
 */
import type { Money } from '../kernel/money.ts';
import type { Provider } from '../providers/provider.ts';

type Float = Money & { readonly provider: string };

export type ProviderFloats = {
  read(): Promise<void>;
  /** As they were last read. */
  all(): readonly Float[];
};

export function createProviderFloats(
  providers: ReadonlyMap<string, Pick<Provider, 'balance'>>,
): ProviderFloats {
  const floats = new Map<string, Money>();
  return {
    async read() {
      for (const [name, provider] of providers) {
        const float = await provider.balance();
        if (float !== undefined) floats.set(name, float);
      }
    },
    all: () => [...floats].map(([provider, float]) => ({ provider, ...float })),
  };
}
