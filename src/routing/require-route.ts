/**
 * Finds the providers that can serve a purchase or verify its customer, in the order of its route.
 */
import { GatewayError } from '../kernel/errors.ts';
import type { Principal } from '../merchants/merchant.ts';
import type { VendProduct } from '../products/product.ts';
import type { PlanCodesByProvider, Provider } from '../providers/provider.ts';
import type { Routes } from './routes.ts';

export type Router = { readonly routes: Routes; readonly providers: ReadonlyMap<string, Provider> };

export type RouteQuery = {
  readonly principal: Principal;
  readonly product: VendProduct;
  readonly network: string;
  /** By provider; undefined for what has no plan. */
  readonly planCodes: PlanCodesByProvider | undefined;
};

/**
 * Those of the route that are configured and know the plan; never empty. Throws GatewayError
 * `no_provider`.
 */
export function requireRoute(router: Router, query: RouteQuery): readonly string[] {
  const { principal, product, network } = query;
  const route = router.routes
    .find(principal.environment, product, network)
    .filter((name) => canServe(router.providers.get(name), query));
  if (route.length > 0) return route;
  throw new GatewayError({ code: 'no_provider', product, network });
}

function canServe(provider: Provider | undefined, { product, planCodes }: RouteQuery): boolean {
  if (provider === undefined || !provider.products.has(product)) return false;
  return (
    planCodes === undefined ||
    provider.sellsWithoutCodes.has(product) ||
    Object.hasOwn(planCodes, provider.name)
  );
}
