/** Routes without a database: the same one for all that is bought. */
import type { Routes } from '../../src/catalog/routes/routes.ts';

export function fixedRoutes(providers: () => readonly string[]): Routes {
  return {
    find: () => ({ providers: providers(), shares: undefined, strategy: 'order' }),
    figures: () => ({ measures: new Map(), costs: [] }),
    places: () => [],
    isPaused: () => false,
    isPausedWhole: () => false,
    reload: async () => undefined,
  };
}
