/** Routes without a database: the same one for every product of a network. */
import type { Routes } from '../../src/catalog/routes/routes.ts';

export function fixedRoutes(providers: (network: string) => readonly string[]): Routes {
  return {
    find: (_environment, _product, network) => ({
      providers: providers(network),
      shares: undefined,
      strategy: 'order',
    }),
    figures: () => ({ measures: new Map(), costs: [] }),
    places: () => [],
    isPaused: () => false,
    isPausedWhole: () => false,
    reload: async () => undefined,
  };
}
