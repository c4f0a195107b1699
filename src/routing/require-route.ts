/**
 * Finds the providers that can serve a purchase or verify its customer, in the order of its route.
 */
import { GatewayError } from '../kernel/errors.ts';
import type { Principal } from '../merchants/merchant.ts';
import { isWholeNaira } from '../products/bill-amount.ts';
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
  /** Face value in kobo; absent where nothing is bought, or its price is not the provider's. */
  readonly amount?: bigint;
};

/**
 * Those of the route that are configured, know the plan and take the amount; never empty. Throws
 * GatewayError: `no_provider`; `amount_not_whole_naira` where it is the kobo that nobody takes.
 */
export function requireRoute(router: Router, query: RouteQuery): readonly string[] {
  const { principal, product, network, amount } = query;
  const route = router.routes
    .find(principal.environment, product, network)
    .filter((name) => canServe(router.providers.get(name), query));
  if (route.length === 0) throw new GatewayError({ code: 'no_provider', product, network });
  if (amount === undefined || isWholeNaira(amount)) return route;
  const taking = route.filter((name) => router.providers.get(name)?.wholeNairaOnly.has(product) !== true);
  if (taking.length === 0) throw new GatewayError({ code: 'amount_not_whole_naira' });
  return taking;
}

function canServe(provider: Provider | undefined, { product, planCodes }: RouteQuery): boolean {
  if (provider === undefined || !provider.products.has(product)) return false;
  return (
    planCodes === undefined ||
    provider.sellsWithoutCodes.has(product) ||
    Object.hasOwn(planCodes, provider.name)
  );
}
