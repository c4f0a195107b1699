/** Sets which providers serve a product and network, in order, and lets every running gateway know. */

import { recordAct } from '../../audit-log/audit-log-store.ts';
import type { Tx } from '../../db/database.ts';
import type { Environment } from '../../kernel/environment.ts';
import { invalidField } from '../../kernel/errors.ts';
import type { VendProduct } from '../../products/product.ts';
import { listProviderNames } from '../../providers/list-provider-names.ts';
import { listRoutes, setRoute } from '../route-store.ts';

export type RouteChange = {
  readonly environment: Environment;
  readonly product: VendProduct;
  /** Canonical network, or `*` for every network of the product without a route of its own. */
  readonly network: string;
  /** In the order in which they are tried; none removes the route. */
  readonly providers: readonly string[];
};

/** The provider that only pretends: right for test credentials, and never for money. */
const pretender = 'sandbox';

/**
 * Purchases accepted from now on take it; those already accepted keep theirs. Throws GatewayError `invalid` for a
 * provider that does not exist, is named twice, or belongs to the other world.
 */
export async function changeRoute(
  tx: Tx,
  change: RouteChange,
  actor: string,
): Promise<{ readonly before: readonly string[] }> {
  const { environment, product, network, providers } = change;
  checkProviders(environment, providers);
  const routes = await listRoutes(tx);
  const before = routes
    .filter(
      (route) => route.environment === environment && route.product === product && route.network === network,
    )
    .map((route) => route.provider);
  await setRoute(tx, change);
  await recordAct(tx, {
    actor,
    action: 'route.set',
    subject: `route:${environment}:${product}:${network}`,
    before: { providers: before },
    after: { providers },
  });
  return { before };
}

function checkProviders(environment: Environment, providers: readonly string[]): void {
  const known = listProviderNames();
  for (const [index, provider] of providers.entries()) {
    if (!known.includes(provider)) {
      throw invalidField('providers', `there is no provider "${provider}"; there are ${known.join(', ')}`);
    }
    if (providers.indexOf(provider) !== index) {
      throw invalidField('providers', `the provider ${provider} is named twice`);
    }
    if ((provider === pretender) !== (environment === 'test')) {
      throw invalidField('providers', `test purchases are served by ${pretender}, and only they are`);
    }
  }
}
