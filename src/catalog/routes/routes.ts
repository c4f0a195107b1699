/**
 * Which providers serve a product, in order and by which shares, and which of them are paused. All
 * of it is in memory, so that routing an order needs no database. It is reloaded when it changes.
 */

import type { Environment } from '../../core/environment.ts';
import { singleFlight } from '../../core/single-flight.ts';
import type { Sql } from '../../db/database.ts';
import { listPauses, type PausePlace } from './pause-store.ts';
import { listRoutes } from './route-store.ts';

/** By provider, as weights. */
export type Shares = ReadonlyMap<string, number>;

type StandingRoute = {
  /** Names in order; empty where there is no route. */
  readonly providers: readonly string[];
  /** Undefined where purchases go to the first, and to the others only after it. */
  readonly shares: Shares | undefined;
};

type RoutePlace = {
  readonly environment: Environment;
  readonly product: string;
  readonly network: string;
  readonly providers: readonly string[];
};

export type Routes = {
  /** A route for the network comes before one for all networks. */
  find(environment: Environment, product: string, network: string): StandingRoute;
  /** Every route there is; `network` may stand for all of its product. */
  places(): readonly RoutePlace[];
  /** Whether new purchases of it are kept from the provider. */
  isPaused(provider: string, product: string, network: string): boolean;
  /** Whether all new purchases are. */
  isPausedWhole(provider: string): boolean;
  /** Rejects, and leaves all as it was, when it cannot be read. */
  reload(): Promise<void>;
};

const noRoute: StandingRoute = { providers: [], shares: undefined };

export async function loadRoutes(sql: Sql): Promise<Routes> {
  let table = await read(sql);
  let pauses: Pauses = pausesOf(await listPauses(sql));
  return {
    find: (environment, product, network) =>
      table.get(`${environment}/${product}/${network}`) ??
      table.get(`${environment}/${product}/${everyPlace}`) ??
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
  for (const { environment, product, network, provider, share } of await listRoutes(sql)) {
    const key = `${environment}/${product}/${network}`;
    const place = { environment, product, network };
    const route = table.get(key) ?? { ...place, providers: [], shares: undefined };
    route.providers.push(provider);
    if (share !== null) route.shares = (route.shares ?? new Map<string, number>()).set(provider, share);
    table.set(key, route);
  }
  return table;
}

/** Stands for every product, or for every network of a product. */
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
