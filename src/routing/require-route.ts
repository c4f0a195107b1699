/**
 * Finds the providers that can serve a purchase or verify its customer, in the order of its route:
 * without those that are paused for it, and the one first whose turn it is by the route's shares.
 */
import { GatewayError } from '../kernel/errors.ts';
import type { Principal } from '../merchants/merchant.ts';
import { isWholeNaira } from '../products/bill-amount.ts';
import type { VendProduct } from '../products/product.ts';
import type { PlanCodesByProvider, Provider } from '../providers/provider.ts';
import type { Routes } from './routes.ts';
import { shareOut } from './share-out.ts';

export type Router = { readonly routes: Routes; readonly providers: ReadonlyMap<string, Provider> };

export type RouteQuery = {
  readonly principal: Principal;
  readonly product: VendProduct;
  readonly network: string;
  /** By provider; undefined for what has no plan. */
  readonly planCodes: PlanCodesByProvider | undefined;
  /** Face value in kobo; absent where nothing is bought, or its price is not the provider's. */
  readonly amount?: bigint;
  /** Something is bought for a customer who gave no mobile number. */
  readonly lacksPhone?: boolean;
  /** Of the purchase, which is shared out by it; absent where nothing is bought. */
  readonly reference?: string;
};

/**
 * Those of the route that are configured, not paused, know the plan and take the amount; never
 * empty. Throws GatewayError: `no_provider`; `selling_paused` where the operator keeps purchases
 * from all of them; `phone_missing` and `amount_not_whole_naira` where no provider takes the
 * purchase without a phone, or with kobo.
 */
export function requireRoute(router: Router, query: RouteQuery): readonly string[] {
  const { principal, product, network, amount } = query;
  const { providers, shares } = router.routes.find(principal.environment, product, network);
  const able = providers.filter((name) => canServe(router.providers.get(name), query));
  if (able.length === 0) throw new GatewayError({ code: 'no_provider', product, network });
  const selling = able.filter((name) => !router.routes.isPaused(name, product, network));
  if (selling.length === 0) throw new GatewayError({ code: 'selling_paused', product, network });
  const reached = query.lacksPhone
    ? selling.filter((name) => router.providers.get(name)?.needsPhone?.has(product) !== true)
    : selling;
  if (reached.length === 0) throw new GatewayError({ code: 'phone_missing', product });
  const taking = amount === undefined ? reached : takersOf(router, query, amount, reached);
  return shares === undefined || query.reference === undefined
    ? taking
    : shareOut(taking, shares, `${principal.merchant.id}/${query.reference}`);
}

/**
 * Test purchases keep to what the providers of live purchases take, so that a merchant meets the
 * rule before going live.
 */
function takersOf(
  { routes, providers }: Router,
  query: RouteQuery,
  amount: bigint,
  names: readonly string[],
): readonly string[] {
  const { principal, product, network } = query;
  if (isWholeNaira(amount)) return names;
  const takesKobo = (name: string): boolean => providers.get(name)?.wholeNairaOnly.has(product) !== true;
  const taking = names.filter(takesKobo);
  const live =
    principal.environment === 'live'
      ? []
      : routes
          .find('live', product, network)
          .providers.filter((name) => canServe(providers.get(name), query));
  const isRefusedLive = live.length > 0 && !live.some(takesKobo);
  if (taking.length === 0 || isRefusedLive) throw new GatewayError({ code: 'amount_not_whole_naira' });
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
