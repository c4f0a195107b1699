/**
 * Sets which providers serve a product and network, in order, and notifies every running gateway.
 */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import type { Tx } from '../../db/database.ts';
import type { ActorOrName } from '../../kernel/actor.ts';
import type { Environment } from '../../kernel/environment.ts';
import { OperationError } from '../../kernel/errors.ts';
import { refuseLosses } from '../../margins/refuse-losses.ts';
import type { VendProduct } from '../../products/product.ts';
import type { ProviderFacts } from '../../providers/provider.ts';
import { listRoutes, setRoute } from '../route-store.ts';

export type RouteChange = {
  readonly environment: Environment;
  readonly product: VendProduct;
  /** Canonical network, or `*` for every network of the product without a route of its own. */
  readonly network: string;
  /** In the order in which they are tried. An empty list removes the route. */
  readonly providers: readonly string[];
};

/**
 * Purchases that are accepted from now on take the new route; those already accepted stay on the
 * old one. `registry` lists all providers, configured or not. Throws OperationError for a
 * provider that does not exist, is named twice, or serves the other environment, and, unless
 * forced, `sells_below_cost` where its first provider takes more than merchants pay.
 */
export async function changeRoute(
  tx: Tx,
  registry: readonly ProviderFacts[],
  change: RouteChange,
  actor: ActorOrName,
  { force = false }: { readonly force?: boolean } = {},
): Promise<{ readonly before: readonly string[] }> {
  const { environment, product, network, providers } = change;
  checkProviders(registry, environment, providers);
  if (environment === 'live' && !force) await refuseRoute(tx, change);
  const routes = await listRoutes(tx);
  const before = routes
    .filter(
      (route) => route.environment === environment && route.product === product && route.network === network,
    )
    .map((route) => route.provider);
  await setRoute(tx, change);
  await recordOperation(tx, {
    actor,
    action: 'route.set',
    subject: `route:${environment}:${product}:${network}`,
    before: { providers: before },
    after: { providers, ...(force && { force }) },
  });
  return { before };
}

async function refuseRoute(tx: Tx, { product, network, providers }: RouteChange): Promise<void> {
  await refuseLosses(tx, (present) => {
    const routes = new Map(present.routes);
    if (providers.length === 0) routes.delete(`${product}/${network}`);
    else routes.set(`${product}/${network}`, providers);
    return { ...present, routes };
  });
}

function checkProviders(
  registry: readonly ProviderFacts[],
  environment: Environment,
  providers: readonly string[],
): void {
  for (const [index, name] of providers.entries()) {
    const provider = registry.find((known) => known.name === name);
    if (provider === undefined) {
      const known = registry.map((one) => one.name).sort();
      throw new OperationError({ code: 'no_such_provider', provider: name, known });
    }
    if (providers.indexOf(name) !== index) {
      throw new OperationError({ code: 'provider_repeated', provider: name });
    }
    if (provider.environment !== environment) {
      const testing = registry.filter((one) => one.environment === 'test').map((one) => one.name);
      throw new OperationError({ code: 'provider_of_other_environment', testing });
    }
  }
}
