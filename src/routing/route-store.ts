/** The SQL of routes. */

import { announceChange } from '../db/change-notice-store.ts';
import type { Sql, Tx } from '../db/database.ts';
import type { Environment } from '../kernel/environment.ts';

export type Route = {
  readonly environment: Environment;
  readonly product: string;
  /** Canonical network, or `*` for every network of the product. */
  readonly network: string;
  readonly position: number;
  readonly provider: string;
};

export async function listRoutes(sql: Sql): Promise<Route[]> {
  return await sql.query<Route>(`
    select environment, product, network, position, provider
    from routes
    order by environment, product, network, position`);
}

/**
 * Replaces the route of one product and network; an empty list removes it. Running gateways are
 * notified.
 */
export async function setRoute(
  tx: Tx,
  route: { environment: Environment; product: string; network: string; providers: readonly string[] },
): Promise<void> {
  const key = [route.environment, route.product, route.network];
  await tx.query('delete from routes where environment = $1 and product = $2 and network = $3', key);
  await tx.query(
    `
    insert into routes (environment, product, network, position, provider)
    select $1, $2, $3, p.position, p.provider
    from unnest($4::text[]) with ordinality as p(provider, position)`,
    [...key, route.providers],
  );
  await announceChange(tx, 'routes');
}
