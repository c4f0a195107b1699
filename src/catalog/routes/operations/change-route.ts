/**
 * Sets which providers serve a product and network, in order, or removes their route, and notifies
 * every running gateway.
 */

import { Type } from 'typebox';
import { accountField, accountOutput, byAccount } from '../../../core/account-names.ts';
import type { ActorOrName } from '../../../core/actor.ts';
import type { Environment } from '../../../core/environment.ts';
import { OperationError } from '../../../core/errors.ts';
import { admins, defineOperation } from '../../../core/operation.ts';
import {
  environmentField,
  forcedOutput,
  forceField,
  giftOfForced,
  inputOf,
  oneOf,
  text,
} from '../../../core/operation-fields.ts';
import { type PlanKind, planKinds } from '../../../core/products/plan-kind.ts';
import { type ProductName, productNames } from '../../../core/products/product.ts';
import { recordOf } from '../../../core/products/registry.ts';
import type { Tx } from '../../../db/database.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import type { Provider, ProviderFacts } from '../../../providers/provider.ts';
import { requireProvider } from '../../../providers/require-provider.ts';
import { findKind } from '../../find-kind.ts';
import { findNetwork } from '../../find-network.ts';
import { refuseLosses, unlessForced } from '../../margins/refuse-losses.ts';
import { sellsKind } from '../require-route.ts';
import {
  listRoutes,
  lockRoutes,
  type Route,
  type RouteStrategy,
  routeStrategies,
  type StoredStrategy,
  setRoute,
  strategyOf,
  versionOf,
} from '../route-store.ts';

type Shares = Readonly<Record<string, number>>;

type RouteChange = {
  readonly environment: Environment;
  readonly product: ProductName;
  /** Canonical network, or `*` for every network of the product without a specific route. */
  readonly network: string;
  /** A kind of the product. Absent: `*`, every kind without a specific route. */
  readonly kind?: PlanKind | '*' | undefined;
  /** The providers in the order in which they are tried. An empty list removes the route. */
  readonly providers: readonly string[];
  /** The weights of purchases. Providers without one are tried after the others. */
  readonly shares?: Shares | undefined;
  /** Absent: `shares` if there are any, `order` otherwise. */
  readonly strategy?: RouteStrategy | undefined;
  /** The version that the change was made for. Absent: any. */
  readonly version?: string | undefined;
};

/**
 * Sets or removes a route. New purchases take the new route; accepted ones keep the old one.
 * `registry` lists all providers, configured or not. An equal route is not stored again. Throws
 * OperationError for a provider that does not exist, is repeated, or serves the other environment,
 * for a share of an unnamed provider, for shares without their strategy, `route_changed` when the
 * route no longer has the version that the change was made for, and, unless forced,
 * `sells_below_cost` when a provider that may be first costs more than merchants pay. A preview
 * runs the same checks and changes nothing.
 */
export async function changeRoute(
  tx: Tx,
  registry: readonly ProviderFacts[],
  change: RouteChange,
  actor: ActorOrName,
  { force = false, preview = false }: { readonly force?: boolean; readonly preview?: boolean } = {},
): Promise<{ readonly before: readonly string[]; readonly forced: boolean }> {
  const { environment, product, network, kind = '*', providers, shares = {} } = change;
  checkProviders(
    registry.filter(({ isRemoved }) => !isRemoved),
    environment,
    providers,
  );
  const unnamed = Object.keys(shares).find((name) => !providers.includes(name));
  if (unnamed !== undefined) throw new OperationError({ code: 'share_of_stranger', provider: unnamed });
  const strategy = storedStrategy(change);
  if (!preview) await lockRoutes(tx);
  const standing = (await listRoutes(tx)).filter(
    (route) =>
      route.environment === environment &&
      route.product === product &&
      route.network === network &&
      route.kind === kind,
  );
  const before = standing.map(({ provider }) => provider);
  if (change.version !== undefined && change.version !== versionOfRows(standing)) {
    throw new OperationError({ code: 'route_changed' });
  }
  const isSame =
    standing.length === providers.length &&
    standing.every(
      (route, i) =>
        route.provider === providers[i] &&
        route.share === (shares[route.provider] ?? null) &&
        route.strategy === strategy,
    );
  if (isSame) return { before, forced: false };
  const forced = environment === 'live' && (await unlessForced(force, () => refuseRoute(tx, change)));
  if (preview) return { before, forced: false };
  await setRoute(tx, { ...change, strategy });
  await recordOperation(tx, {
    actor,
    action: providers.length === 0 ? 'route.remove' : 'route.set',
    subject: `route:${environment}:${product}:${network}${kind === '*' ? '' : `:${kind}`}`,
    before: { providers: before, ...sharesOf(standing), ...named(standing[0]?.strategy) },
    after: {
      providers,
      ...(Object.keys(shares).length > 0 && { shares }),
      ...named(strategy),
      ...(force && { force }),
    },
  });
  return { before, forced };
}

/** Returns the version of a route by its rows. A route without providers does not exist. */
function versionOfRows(rows: readonly Route[]): string {
  const { shares = {} } = sharesOf(rows);
  const strategy = rows[0]?.strategy ?? 'order';
  return versionOf({ providers: rows.map(({ provider }) => provider), shares, strategy });
}

/** Throws OperationError `strategy_of_shares` for shares without their strategy, or the reverse. */
function storedStrategy({ strategy, shares = {} }: RouteChange): StoredStrategy {
  const hasShares = Object.keys(shares).length > 0;
  if (strategy !== undefined && (strategy === 'shares') !== hasShares) {
    throw new OperationError({ code: 'strategy_of_shares' });
  }
  return strategy === undefined || strategy === 'shares' ? 'order' : strategy;
}

/** A strategy that chooses, for the audit log. */
function named(strategy: StoredStrategy | undefined): { readonly strategy?: StoredStrategy } {
  return strategy === undefined || strategy === 'order' ? {} : { strategy };
}

async function refuseRoute(tx: Tx, change: RouteChange): Promise<void> {
  const { product, network, kind = '*', providers, shares = {} } = change;
  const place = `${product}/${network}/${kind}`;
  // A strategy that chooses may put any of them first.
  const leading = providers.filter(
    (name) => shares[name] !== undefined || storedStrategy(change) !== 'order',
  );
  await refuseLosses(tx, (present) => {
    const routes = new Map(present.routes);
    if (providers.length === 0) routes.delete(place);
    else {
      const first = leading.length > 0 ? leading : providers.slice(0, 1);
      routes.set(place, { first, providers });
    }
    return { ...present, routes };
  });
}

/** Returns the shares for the audit log; absent without shares. */
function sharesOf(standing: readonly Route[]): { readonly shares?: Shares } {
  const shares = standing.flatMap(({ provider, share }) =>
    share === null ? [] : [[provider, share] as const],
  );
  return shares.length === 0 ? {} : { shares: Object.fromEntries(shares) };
}

function checkProviders(
  registry: readonly ProviderFacts[],
  environment: Environment,
  providers: readonly string[],
): void {
  for (const [index, name] of providers.entries()) {
    const provider = requireProvider(registry, name);
    if (providers.indexOf(name) !== index) {
      throw new OperationError({ code: 'provider_repeated', provider: name });
    }
    if (provider.environment !== environment) {
      const testing = registry.filter((one) => one.environment === 'test').map((one) => one.name);
      throw new OperationError({ code: 'provider_of_other_environment', testing });
    }
  }
}

const routeFields = {
  environment: environmentField,
  product: oneOf(productNames),
  network: text("a network of the product, a biller, or '*' for every network without a route of its own"),
  kind: Type.Optional(
    oneOf(planKinds, {
      description: 'a kind of data plans or of airtime; absent, every kind without its own route',
    }),
  ),
};

const output = Type.Object({
  environment: environmentField,
  product: oneOf(productNames),
  network: Type.String(),
  /** `*`: every kind without a specific route. */
  kind: Type.String(),
  providers: Type.Array(accountOutput),
  /** By provider; empty if purchases go to the first. */
  shares: Type.Record(Type.String(), Type.Integer(), byAccount),
  strategy: oneOf(routeStrategies),
  providers_before: Type.Array(accountOutput),
  /** Providers of the route that currently get none of its purchases. */
  cannot_serve: Type.Array(
    Type.Object({ provider: accountOutput, why: oneOf(['not_set_up', 'product_not_sold', 'kind_not_sold']) }),
  ),
  forced: forcedOutput,
});

type Needs = Acting & {
  /** All providers, configured or not. */
  readonly providers: readonly ProviderFacts[];
  /** The configured providers. */
  readonly openProviders: () => Promise<
    AsyncDisposable & { readonly providers: ReadonlyMap<string, Pick<Provider, 'sellsKinds'>> }
  >;
};

export const setRouteOperation = defineOperation({
  name: 'route.set',
  kind: 'act',
  summary:
    'set the providers of a product and network, first choice first; for purchases accepted from now on',
  roles: admins,
  route: 'PUT /routes/{environment}/{product}/{network}',
  document: 'operators/providers.md',
  input: inputOf({
    ...routeFields,
    providers: Type.Array(accountField(), {
      description: 'a list of names of providers, in the order in which they are tried',
      minItems: 1,
      maxItems: 20,
    }),
    force: forceField,
    preview: Type.Optional(
      Type.Boolean({ description: 'true to check the route without a change', default: false }),
    ),
    share: Type.Optional(
      Type.Record(Type.String(), Type.Integer({ minimum: 1, maximum: 1_000 }), {
        ...byAccount,
        description:
          'weights from 1 to 1000 by provider, such as 70 and 30: purchases are distributed by them, ' +
          'and providers without a weight come after them',
      }),
    ),
    strategy: Type.Optional(
      oneOf(routeStrategies, {
        description:
          'how the first provider is chosen: in order, by shares, or by cost and by what each ' +
          'provider did in 30 days: cheapest, most_reliable, balanced',
      }),
    ),
    version: Type.Optional(
      text('the version of the route that you read: if the route has changed since, it is not changed', {
        maxLength: 40,
      }),
    ),
  }),
  output,
  gives: (_, given) => giftOfForced(given),
  run: async (needs: Needs, { share, ...input }) => await change(needs, { ...input, shares: share }),
});

export const removeRouteOperation = defineOperation({
  name: 'route.remove',
  kind: 'act',
  summary: "remove a route; the network then uses the route '*' of the product, or is refused",
  roles: admins,
  route: 'DELETE /routes/{environment}/{product}/{network}',
  document: 'operators/providers.md',
  confirm: 'Purchases of this network will use the route of the whole product, or be refused. Remove it?',
  input: inputOf({ ...routeFields, force: forceField }),
  output,
  gives: (_, given) => giftOfForced(given),
  run: async (needs: Needs, input) => await change(needs, { ...input, providers: [] }),
});

async function change(
  { tx, actor, providers: registry, openProviders }: Needs,
  {
    network: place,
    kind: kindNamed,
    shares = {},
    strategy,
    version,
    force = false,
    preview = false,
    ...key
  }: Omit<RouteChange, 'kind'> & {
    readonly kind?: PlanKind | undefined;
    readonly force?: boolean;
    readonly preview?: boolean;
  },
) {
  const network = place === '*' ? place : await findNetwork(tx, key.product, place);
  const kind = findKind(key.product, kindNamed);
  const changed = { ...key, network, kind, shares, strategy, version };
  const { before, forced } = await changeRoute(tx, registry, changed, actor, { force, preview });
  return {
    ...key,
    network,
    kind,
    providers: [...key.providers],
    shares: { ...shares },
    strategy: strategyOf({ strategy: storedStrategy(changed), shares }),
    providers_before: [...before],
    cannot_serve: await cannotServe(openProviders, registry, changed),
    forced,
  };
}

type UnableProvider = { provider: string; why: 'not_set_up' | 'product_not_sold' | 'kind_not_sold' };

async function cannotServe(
  openProviders: Needs['openProviders'],
  registry: readonly ProviderFacts[],
  { providers: names, product, kind }: Pick<RouteChange, 'providers' | 'product' | 'kind'>,
): Promise<UnableProvider[]> {
  if (names.length === 0) return [];
  await using opened = await openProviders();
  return names.flatMap((provider): UnableProvider[] => {
    const found = opened.providers.get(provider);
    if (found === undefined) return [{ provider, why: 'not_set_up' }];
    const isSold = registry.some(({ name, products }) => name === provider && products.has(product));
    if (!isSold) return [{ provider, why: 'product_not_sold' }];
    const isOfPlans = recordOf(product).plans !== 'none';
    if (kind === undefined || kind === '*' || isOfPlans || sellsKind(found, product, kind)) return [];
    return [{ provider, why: 'kind_not_sold' }];
  });
}
