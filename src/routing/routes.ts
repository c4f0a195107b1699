/**
 * Which providers serve a product, in order. In memory, so that routing an order costs no query;
 * reloaded when it changes.
 */
import type { Sql } from '../db/database.ts';
import type { Environment } from '../kernel/environment.ts';
import { listRoutes } from './route-store.ts';

export type Routes = {
  /**
   * Provider names in order; empty when nobody serves it. A route for the network goes before one
   * for all networks.
   */
  find(environment: Environment, product: string, network: string): readonly string[];
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
    async reload() {
      table = await read(sql);
    },
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
