/**
 * The routes and the paused providers of a gateway process. They are in memory, so routing an order
 * takes no query, and are reloaded after a change.
 */

import type { Environment } from '../../core/environment.ts';
import { singleFlight } from '../../core/single-flight.ts';
import type { Sql } from '../../db/database.ts';
import { type KnownCost, placeKey } from '../margins/expected-cost.ts';
import { listKnownCosts } from '../margins/live-prices-store.ts';
import type { Measure } from '../measures/measure.ts';
import { listMeasures } from '../measures/measure-store.ts';
import { mostSpecific } from '../most-specific.ts';
import { listPauses, type PausePlace } from './pause-store.ts';
import { listRoutes, type StoredStrategy } from './route-store.ts';

/** The weights by provider. */
export type Shares = ReadonlyMap<string, number>;

type StandingRoute = {
  /** The names in order; empty without a route. */
  readonly providers: readonly string[];
  /** Undefined when purchases go to the first provider, and to others only after it. */
  readonly shares: Shares | undefined;
  readonly strategy: StoredStrategy;
};

/** The figures that a strategy compares for a product and network. Up to half a minute old. */
export type RouteFigures = {
  /** By provider. */
  readonly measures: ReadonlyMap<string, Measure>;
  readonly costs: readonly KnownCost[];
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
  /** Returns the figures that a strategy compares. Empty while no route has one. */
  figures(environment: Environment, product: string, network: string): RouteFigures;
  /** Lists all routes. `network` may stand for all networks of the product. */
  places(): readonly RoutePlace[];
  /** Tells whether the provider gets no new purchases of a product and network. */
  isPaused(provider: string, product: string, network: string): boolean;
  /** Tells whether the provider gets no new purchases at all. */
  isPausedWhole(provider: string): boolean;
  /** Reads the routes again. Rejects without any change if they cannot be read. */
  reload(): Promise<void>;
};

const noRoute: StandingRoute = { providers: [], shares: undefined, strategy: 'order' };
const noFigures: RouteFigures = { measures: new Map(), costs: [] };

export async function loadRoutes(sql: Sql): Promise<Routes> {
  let table = await readRoutes(sql);
  let pauses: Pauses = pausesOf(await listPauses(sql));
  let figures = await readFigures(sql, table);
  return {
    find: (environment, product, network, kind = everyPlace) => {
      const ofProduct = table.byPlace.get(environment)?.get(product);
      return mostSpecific({ network, kind }, (where, which) => ofProduct?.get(where)?.get(which)) ?? noRoute;
    },
    figures: (environment, product, network) =>
      figures.get(placeKey({ environment, product, network })) ?? noFigures,
    places: () => table.all,
    isPaused: (provider, product, network) => isPausedBy(pauses, provider, product, network),
    isPausedWhole: (provider) => isPausedBy(pauses, provider, everyPlace, everyPlace),
    reload: singleFlight(async () => {
      const [routes, rows] = await Promise.all([readRoutes(sql), listPauses(sql)]);
      const read = await readFigures(sql, routes);
      table = routes;
      pauses = pausesOf(rows);
      figures = read;
    }),
  };
}

type Route = RoutePlace & StandingRoute;

type RouteTable = {
  readonly all: readonly Route[];
  /**
   * By environment, product, network and kind. A single map keyed by a text of the four takes ten
   * times as long, because each lookup builds up to four texts.
   */
  readonly byPlace: ReadonlyMap<
    string,
    ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, StandingRoute>>>
  >;
};

async function readRoutes(sql: Sql): Promise<RouteTable> {
  type Read = Omit<Route, 'providers' | 'shares'> & {
    readonly providers: string[];
    shares: Map<string, number> | undefined;
  };
  const all: Read[] = [];
  const byPlace = new Map<string, Map<string, Map<string, Map<string, Read>>>>();
  for (const { environment, product, network, kind, provider, share, strategy } of await listRoutes(sql)) {
    const byKind = within(within(within(byPlace, environment), product), network);
    let route = byKind.get(kind);
    if (route === undefined) {
      route = { environment, product, network, providers: [], shares: undefined, strategy };
      byKind.set(kind, route);
      all.push(route);
    }
    route.providers.push(provider);
    if (share !== null) route.shares = (route.shares ?? new Map<string, number>()).set(provider, share);
  }
  return { all, byPlace };
}

/** Returns the map under a key, and adds it if it is missing. */
function within<Key, Value>(maps: Map<string, Map<Key, Value>>, key: string): Map<Key, Value> {
  const map = maps.get(key) ?? new Map<Key, Value>();
  maps.set(key, map);
  return map;
}

/** Reads the figures only while a route has a strategy that needs them. */
async function readFigures(
  sql: Sql,
  { all }: Pick<RouteTable, 'all'>,
): Promise<ReadonlyMap<string, RouteFigures>> {
  type Held = { readonly measures: Map<string, Measure>; readonly costs: KnownCost[] };
  const figures = new Map<string, Held>();
  if (all.every(({ strategy }) => strategy === 'order')) return figures;
  const figuresOf = (place: Parameters<typeof placeKey>[0]): Held => {
    const key = placeKey(place);
    const held = figures.get(key) ?? { measures: new Map(), costs: [] };
    figures.set(key, held);
    return held;
  };
  const [measures, costs] = await Promise.all([listMeasures(sql, undefined), listKnownCosts(sql, undefined)]);
  for (const measure of measures) figuresOf(measure).measures.set(measure.provider, measure);
  for (const known of costs) figuresOf(known).costs.push(known);
  return figures;
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

/** Tells whether new purchases of a product and network are paused at the provider. */
export function isPausedBy(pauses: Pauses, provider: string, product: string, network: string): boolean {
  const places = pauses.get(provider);
  if (places === undefined) return false;
  return (
    places.has(`${everyPlace}/${everyPlace}`) ||
    places.has(`${product}/${everyPlace}`) ||
    places.has(`${product}/${network}`)
  );
}
