/**
 * Which providers serve a product, in order. The routes are in memory, so that routing an order
 * needs no database. They are reloaded when they change.
 */
import type { Sql } from '../db/database.ts';
import type { Environment } from '../kernel/environment.ts';
import { inTurn } from '../kernel/in-turn.ts';
import { listRoutes } from './route-store.ts';

export type Routes = {
  /**
   * Provider names in order; empty where there is no route. A route for the network comes before
   * one for all networks.
   */
  find(environment: Environment, product: string, network: string): readonly string[];
  /** Rejects, and leaves the routes as they were, when they cannot be read. */
  reload(): Promise<void>;
};

const everyNetwork = '*';

export async function loadRoutes(sql: Sql): Promise<Routes> {
  let table = await read(sql);
  return {
    find: (environment, product, network) =>
      table.get(`${environment}/${product}/${network}`) ??
      table.get(`${environment}/${product}/${everyNetwork}`) ??
      [],
    reload: inTurn(async () => {
      table = await read(sql);
    }),
  };
}

async function read(sql: Sql): Promise<Map<string, string[]>> {
  const table = new Map<string, string[]>();
  for (const route of await listRoutes(sql)) {
    const key = `${route.environment}/${route.product}/${route.network}`;
    table.set(key, [...(table.get(key) ?? []), route.provider]);
  }
  return table;
}
