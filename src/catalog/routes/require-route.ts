/**
 * Finds the providers that can serve a purchase or verify its customer, in the order of its route.
 * Leaves out paused providers, and puts the provider first that the route's shares choose.
 */
import type { Environment } from '../../core/environment.ts';
import { GatewayError } from '../../core/errors.ts';
import { isWholeNaira } from '../../core/products/bill-amount.ts';
import type { PlanKind } from '../../core/products/plan-kind.ts';
import type { ProductName } from '../../core/products/product.ts';
import { kindsOf } from '../../core/products/registry.ts';
import type { Principal } from '../../merchants/merchant.ts';
import type { PlanCodesByProvider, Provider, ProviderFacts } from '../../providers/provider.ts';
import type { Routes, Shares } from './routes.ts';

export type Router = { readonly routes: Routes; readonly providers: ReadonlyMap<string, Provider> };

export type RouteQuery = {
  readonly principal: Principal;
  readonly product: ProductName;
  readonly network: string;
  /** The kind of the plan or of airtime; absent of products without kinds. */
  readonly planKind?: PlanKind | undefined;
  /** The plan's codes by provider; undefined without a plan. */
  readonly planCodes: PlanCodesByProvider | undefined;
  /** The face value in kobo; absent when nothing is bought or the price is not the provider's. */
  readonly amount?: bigint;
  /** The customer of the purchase gave no mobile number. */
  readonly lacksPhone?: boolean;
  /** A caller waits for the outcome of the purchase. */
  readonly isSync?: boolean;
  /** The reference of the purchase, by which shares are chosen; absent when nothing is bought. */
  readonly reference?: string;
};

/**
 * Returns the providers of the route that are configured, not paused, know the plan, accept the
 * amount and, for a sync purchase, report its success at once. There is at least one. Throws
 * GatewayError: `no_provider`; `selling_paused` when all are paused; `phone_missing` and
 * `amount_not_whole_naira` when no provider accepts the purchase without a phone, or with kobo.
 */
export function requireRoute(router: Router, query: RouteQuery): readonly string[] {
  const { principal, product, network, planKind, amount } = query;
  const { providers, shares } = router.routes.find(principal.environment, product, network, planKind);
  const able = providers.filter((name) => canServe(router.providers.get(name), query));
  if (able.length === 0) throw new GatewayError({ code: 'no_provider', product, network });
  const selling = able.filter((name) => !router.routes.isPaused(name, product, network));
  if (selling.length === 0) throw new GatewayError({ code: 'selling_paused', product, network });
  const reached = query.lacksPhone
    ? selling.filter((name) => router.providers.get(name)?.needsPhone?.has(product) !== true)
    : selling;
  if (reached.length === 0) throw new GatewayError({ code: 'phone_missing', product });
  const accepting = amount === undefined ? reached : acceptingOf(router, query, amount, reached);
  return shares === undefined || query.reference === undefined
    ? accepting
    : shareOut(accepting, shares, `${principal.merchant.id}/${query.reference}`);
}

/**
 * Keeps the providers that accept the amount. Test purchases follow the rule of live providers too,
 * so that merchants notice it before going live.
 */
function acceptingOf(
  { routes, providers }: Router,
  query: RouteQuery,
  amount: bigint,
  names: readonly string[],
): readonly string[] {
  const { principal, product, network, planKind } = query;
  if (isWholeNaira(amount)) return names;
  const takesKobo = (name: string): boolean => providers.get(name)?.wholeNairaOnly.has(product) !== true;
  const accepting = names.filter(takesKobo);
  const live =
    principal.environment === 'live'
      ? []
      : routes
          .find('live', product, network, planKind)
          .providers.filter((name) => canServe(providers.get(name), query));
  const isRefusedLive = live.length > 0 && !live.some(takesKobo);
  if (accepting.length === 0 || isRefusedLive) throw new GatewayError({ code: 'amount_not_whole_naira' });
  return accepting;
}

function canServe(
  provider: Provider | undefined,
  { product, planKind, planCodes, isSync = false }: RouteQuery,
): boolean {
  if (provider === undefined || !provider.products.has(product)) return false;
  if (isSync && provider.asyncOnly?.has(product)) return false;
  if (planCodes === undefined && planKind !== undefined && !sellsKind(provider, product, planKind))
    return false;
  return (
    planCodes === undefined ||
    provider.sellsWithoutCodes.has(product) ||
    Object.hasOwn(planCodes, provider.name)
  );
}

/** Tells whether a provider sells a kind of airtime. Codes decide it for plans. */
export function sellsKind(
  provider: Pick<Provider, 'sellsKinds'>,
  product: ProductName,
  kind: PlanKind,
): boolean {
  return kind === kindsOf(product)[0] || provider.sellsKinds?.has(kind) === true;
}

/** Puts the chosen provider first, then the others in the order of the route. */
export function shareOut(providers: readonly string[], shares: Shares, purchase: string): readonly string[] {
  const chosen = chooseByShare(providers, shares, purchase);
  return chosen === undefined ? providers : [chosen, ...providers.filter((name) => name !== chosen)];
}

/** Chooses a provider by share. Undefined when no provider has a share. */
function chooseByShare(providers: readonly string[], shares: Shares, purchase: string): string | undefined {
  let total = 0;
  for (const name of providers) total += shares.get(name) ?? 0;
  if (total === 0) return undefined;
  let left = hashText(purchase) % total;
  return providers.find((name) => {
    left -= shares.get(name) ?? 0;
    return left < 0;
  });
}

/**
 * Hashes to 32 bits by FNV-1a with the final mix of MurmurHash3, because references often differ in
 * their last digit only.
 */
export function hashText(text: string): number {
  let mixed = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) {
    mixed = Math.imul(mixed ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Returns the names of the providers that sell a product in an environment, in their order. */
export function sellersOf(
  product: string,
  environment: Environment,
  providers: readonly ProviderFacts[],
): readonly string[] {
  return providers
    .filter((provider) => provider.environment === environment && provider.products.has(product))
    .map(({ name }) => name);
}
