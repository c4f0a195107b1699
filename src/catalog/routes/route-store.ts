/** Stores routes. */

import { createHash } from 'node:crypto';
import type { Environment } from '../../core/environment.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { type ChoosingStrategy, choosingStrategies } from '../measures/rank-providers.ts';

/** How a route chooses its first provider. `order`: by position, or by share if it has any. */
export type StoredStrategy = 'order' | ChoosingStrategy;

/** The strategies as people name them. */
export const routeStrategies = ['order', 'shares', ...choosingStrategies] as const;
export type RouteStrategy = (typeof routeStrategies)[number];

export function strategyOf({ strategy, shares }: Pick<RouteLine, 'strategy' | 'shares'>): RouteStrategy {
  return Object.keys(shares).length > 0 ? 'shares' : strategy;
}

export type Route = {
  readonly environment: Environment;
  readonly product: string;
  /** Canonical network, or `*` for every network of the product. */
  readonly network: string;
  /** A kind of plans or of airtime, or `*` for every kind. */
  readonly kind: string;
  readonly position: number;
  readonly provider: string;
  /** Its weight among the providers with a share; null: it is tried after them. */
  readonly share: number | null;
  /** The same in all rows of a route. */
  readonly strategy: StoredStrategy;
};

export async function listRoutes(sql: Sql): Promise<Route[]> {
  return await sql.query<Route>(`
    select environment, product, network, kind, position, provider, share, strategy
    from routes
    order by environment, product, network, kind, position`);
}

export type RouteLine = {
  readonly environment: Environment;
  readonly product: string;
  readonly network: string;
  /** As in Route. */
  readonly kind: string;
  /** The providers in the order in which they are tried. */
  readonly providers: readonly string[];
  /** The weights by provider; empty when purchases go to the first. */
  readonly shares: Readonly<Record<string, number>>;
  readonly strategy: StoredStrategy;
};

/** The version of a route, which follows from its content: an equal route has the same version. */
export function versionOf({
  providers,
  shares,
  strategy,
}: Pick<RouteLine, 'providers' | 'shares' | 'strategy'>): string {
  const content = [strategy, ...providers.map((provider) => [provider, shares[provider] ?? null])];
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16);
}

type RoutePlace = Pick<RouteLine, 'environment' | 'product' | 'network' | 'kind'>;

/** Lists one line for each product, network and kind, in their order. */
export async function listRouteLines(
  sql: Sql,
  { after, limit }: { readonly after: RoutePlace | undefined; readonly limit: number },
): Promise<RouteLine[]> {
  return await sql.query<RouteLine>(
    `select
       environment,
       product,
       network,
       kind,
       array_agg(provider order by position) as providers,
       coalesce(jsonb_object_agg(provider, share) filter (where share is not null), '{}') as shares,
       min(strategy) as strategy
     from routes
     where $1::text is null or (environment, product, network, kind) > ($1, $2, $3, $4)
     group by environment, product, network, kind
     order by environment, product, network, kind
     limit $5`,
    [after?.environment ?? null, after?.product ?? null, after?.network ?? null, after?.kind ?? null, limit],
  );
}

/** Locks all routes against other changes until the end of the transaction. */
export async function lockRoutes(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('oja.routes'))");
}

/**
 * Replaces the route of one product, network and kind, or removes it if the list is empty. Notifies
 * running gateways.
 */
export async function setRoute(
  tx: Tx,
  route: {
    environment: Environment;
    product: string;
    network: string;
    /** Absent: every kind. */
    kind?: string | undefined;
    providers: readonly string[];
    /** The weights by provider. */
    shares?: Readonly<Record<string, number>> | undefined;
    /** Absent: `order`. A strategy that chooses has no shares. */
    strategy?: StoredStrategy | undefined;
  },
): Promise<void> {
  const key = [route.environment, route.product, route.network, route.kind ?? '*'];
  await tx.query(
    'delete from routes where environment = $1 and product = $2 and network = $3 and kind = $4',
    key,
  );
  await tx.query(
    `
    insert into routes (environment, product, network, kind, position, provider, share, strategy)
    select $1, $2, $3, $4, p.position, p.provider, p.share, $7
    from unnest($5::text[], $6::smallint[]) with ordinality as p(provider, share, position)`,
    [
      ...key,
      route.providers,
      route.providers.map((name) => route.shares?.[name] ?? null),
      route.strategy ?? 'order',
    ],
  );
  await announceChange(tx, 'routes');
}
