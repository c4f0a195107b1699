/**
 * The routes and the paused providers of a gateway process. They are in memory, so routing an order
 * takes no query, and are reloaded after a change.
 */

import type { Environment } from '../../core/environment.ts';
import { singleFlight } from '../../core/single-flight.ts';
import type { Sql } from '../../db/database.ts';
import { listPauses, type PausePlace } from './pause-store.ts';
import { listRoutes } from './route-store.ts';

/** The weights by provider. */
export type Shares = ReadonlyMap<string, number>;

type StandingRoute = {
  /** The names in order; empty without a route. */
  readonly providers: readonly string[];
  /** Undefined when purchases go to the first provider, and to others only after it. */
  readonly shares: Shares | undefined;
};

type RoutePlace = {
  readonly environment: Environment;
  readonly product: string;
  readonly network: string;
  readonly providers: readonly string[];
};

export type Routes = {
  /**
   * Finds the most specific route: of the network and kind, of the network, of the kind on all
   * networks, of the product.
   */
  find(environment: Environment, product: string, network: string, kind?: string): StandingRoute;
  /** Lists all routes. `network` may stand for all networks of the product. */
  places(): readonly RoutePlace[];
  /** Tells whether the provider gets no new purchases of a product and network. */
  isPaused(provider: string, product: string, network: string): boolean;
  /** Tells whether the provider gets no new purchases at all. */
  isPausedWhole(provider: string): boolean;
  /** Reads the routes again. Rejects without any change if they cannot be read. */
  reload(): Promise<void>;
};

const noRoute: StandingRoute = { providers: [], shares: undefined };

export async function loadRoutes(sql: Sql): Promise<Routes> {
  let table = await read(sql);
  let pauses: Pauses = pausesOf(await listPauses(sql));
  return {
    find: (environment, product, network, kind = everyPlace) =>
      table.get(`${environment}/${product}/${network}/${kind}`) ??
      table.get(`${environment}/${product}/${network}/${everyPlace}`) ??
      table.get(`${environment}/${product}/${everyPlace}/${kind}`) ??
      table.get(`${environment}/${product}/${everyPlace}/${everyPlace}`) ??
      noRoute,
    places: () => [...table.values()],
    isPaused: (provider, product, network) => isPausedBy(pauses, provider, product, network),
    isPausedWhole: (provider) => isPausedBy(pauses, provider, everyPlace, everyPlace),
    reload: singleFlight(async () => {
      const [routes, rows] = await Promise.all([read(sql), listPauses(sql)]);
      table = routes;
      pauses = pausesOf(rows);
    }),
  };
}

async function read(sql: Sql): Promise<ReadonlyMap<string, StandingRoute & RoutePlace>> {
  const table = new Map<
    string,
    Omit<RoutePlace, 'providers'> & { providers: string[]; shares: Map<string, number> | undefined }
  >();
  for (const { environment, product, network, kind, provider, share } of await listRoutes(sql)) {
    const key = `${environment}/${product}/${network}/${kind}`;
    const place = { environment, product, network };
    const route = table.get(key) ?? { ...place, providers: [], shares: undefined };
    route.providers.push(provider);
    if (share !== null) route.shares = (route.shares ?? new Map<string, number>()).set(provider, share);
    table.set(key, route);
  }
  return table;
}

/** Stands for every product, or for every network or kind of a product. */
export const everyPlace = '*';

/** The paused places of each provider, as `product/network`. */
export type Pauses = ReadonlyMap<string, ReadonlySet<string>>;

/** Groups pauses by provider. */
export function pausesOf(rows: readonly PausePlace[]): Pauses {
  const pauses = new Map<string, Set<string>>();
  for (const { provider, product, network } of rows) {
    pauses.set(provider, (pauses.get(provider) ?? new Set()).add(`${product}/${network}`));
  }
  return pauses;
}

/** Tells whether new purchases of a product and network are kept from the provider. */
export function isPausedBy(pauses: Pauses, provider: string, product: string, network: string): boolean {
  const places = pauses.get(provider);
  if (places === undefined) return false;
  return (
    places.has(`${everyPlace}/${everyPlace}`) ||
    places.has(`${product}/${everyPlace}`) ||
    places.has(`${product}/${network}`)
  );
}
