/**
 * Our money at each provider, as it says: read now and then in the background, and shown by the
 * metrics. Counts for nothing in the books.
 */
import type { Provider } from '../providers/provider.ts';

type Float = { readonly provider: string; readonly kobo: bigint };

export type ProviderFloats = {
  read(): Promise<void>;
  /** As read last. */
  all(): readonly Float[];
};

export function createProviderFloats(
  providers: ReadonlyMap<string, Pick<Provider, 'balance'>>,
): ProviderFloats {
  const floats = new Map<string, bigint>();
  return {
    async read() {
      for (const [name, provider] of providers) {
        const kobo = await provider.balance();
        if (kobo !== undefined) floats.set(name, kobo);
      }
    },
    all: () => [...floats].map(([provider, kobo]) => ({ provider, kobo })),
  };
}
