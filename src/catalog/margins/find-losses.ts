/**
 * Finds the sales that a change of prices, rates, discounts or routes would take below cost. Pure.
 *
 * Guarantees: finds every sale whose charge falls below the cost at the provider that would serve
 * it, or at the cheapest provider when that cost is unknown, whichever part of the price changes.
 * Ignores sales that do not earn less of their cost than before.
 */
import { atRate, type Rate } from '../../core/exchange.ts';
import { applyDiscount, type Currency } from '../../core/money.ts';
import { mostSpecific } from '../most-specific.ts';
import { type ExpectedCost, expectedCost, isCheaper, type KnownCost, type Ordered } from './expected-cost.ts';

export type PricedPlan = Omit<Ordered, 'planCode'> & {
  readonly product: string;
  readonly network: string;
  /** The kind of the plan or of airtime; absent of products without kinds. */
  readonly planKind?: string | undefined;
  readonly planCode: string;
  /** The providers that the catalog has codes of; undefined: any. */
  readonly providers: readonly string[] | undefined;
};

export type PricedDiscount = {
  readonly merchant: string;
  readonly product: string;
  readonly network: string;
  /** A kind, or `*` for every kind without a discount of its own. */
  readonly kind: string;
  readonly basisPoints: number;
};

export type PricedRoute = {
  /** The providers that may get purchases first: one, or several with shares or a strategy. */
  readonly first: readonly string[];
  /** All providers, in order. */
  readonly providers: readonly string[];
};

/** Everything that live prices and costs depend on. */
export type PriceList = {
  readonly plans: readonly PricedPlan[];
  readonly discounts: readonly PricedDiscount[];
  readonly rates: ReadonlyMap<Currency, Rate>;
  /** The live routes by `<product>/<network>/<kind>`, where `*` stands for all. */
  readonly routes: ReadonlyMap<string, PricedRoute>;
  readonly costs: readonly KnownCost[];
};

/** A purchase of a plan by one merchant, or of the amount of the provider's last sale. */
export type PricedSale = {
  /** Undefined: every merchant without a discount. */
  readonly merchant: string | undefined;
  readonly product: string;
  readonly network: string;
  readonly planCode: string;
  readonly currency: Currency;
  readonly provider: string;
  readonly amount: bigint;
  /** In kobo, like the charge. */
  readonly cost: bigint;
  readonly charge: bigint;
};

/** Returns the sales that lose after the change and earn less than before, worst first. */
export function findLosses(before: PriceList, after: PriceList): PricedSale[] {
  const losing = listSales(after).filter(({ cost, charge }) => charge < cost);
  if (losing.length === 0) return [];
  const present = new Map(listSales(before).map((sale) => [keyOf(sale), sale]));
  return losing
    .filter((sale) => {
      const old = present.get(keyOf(sale));
      return old === undefined || sale.charge * old.cost < old.charge * sale.cost;
    })
    .sort((one, other) => compareShares(one, other));
}

/** Lists everything that can be bought at a known cost. */
function listSales(list: PriceList): PricedSale[] {
  const costs = groupBy(list.costs, placeOf);
  const discounts = groupBy(list.discounts, placeOf);
  return list.plans.flatMap((plan) => {
    const known = costs.get(placeOf(plan));
    const expected = known && referenceCost(known, routeOf(list, plan), plan);
    if (expected === undefined) return [];
    const { product, network, planCode, currency } = plan;
    const sale = { product, network, planCode, currency, ...expected };
    if (currency !== 'NGN') {
      const rate = list.rates.get(currency);
      const charge = rate && atRate(expected.amount, rate);
      return charge === undefined ? [] : [{ ...sale, merchant: undefined, charge }];
    }
    return [
      { ...sale, merchant: undefined, charge: expected.amount },
      ...ownDiscounts(discounts.get(placeOf(plan)) ?? [], plan).map(({ merchant, basisPoints }) => ({
        ...sale,
        merchant,
        charge: applyDiscount(expected.amount, basisPoints),
      })),
    ];
  });
}

/** Returns the discount of each merchant: that of the kind, or else that of the network. */
function ownDiscounts(
  discounts: readonly PricedDiscount[],
  { planKind }: PricedPlan,
): readonly PricedDiscount[] {
  const own = discounts.filter(({ kind }) => kind === planKind);
  const merchants = new Set(own.map(({ merchant }) => merchant));
  return [...own, ...discounts.filter(({ kind, merchant }) => kind === '*' && !merchants.has(merchant))];
}

/**
 * Returns the highest cost at the first providers, or the lowest cost of all when none of those is
 * known.
 */
function referenceCost(
  costs: readonly KnownCost[],
  { first, providers }: PricedRoute,
  plan: PricedPlan,
): ExpectedCost | undefined {
  const expect = (names: readonly string[]): readonly ExpectedCost[] =>
    names.flatMap((provider) => expectedCost(costs, provider, plan) ?? []);
  const [dearest] = [...expect(first)].sort((one, other) => (isCheaper(one, other) ? 1 : -1));
  if (dearest !== undefined) return dearest;
  const [cheapest] = [...expect(providers)].sort((one, other) => (isCheaper(one, other) ? -1 : 1));
  return cheapest;
}

/** Returns the route of a plan. Providers that have sold the plan can serve it without codes. */
function routeOf({ routes, costs }: PriceList, plan: PricedPlan): PricedRoute {
  const { product, network, planKind = '*', planCode, providers } = plan;
  const route = mostSpecific({ network, kind: planKind }, (where, which) =>
    routes.get(`${product}/${where}/${which}`),
  );
  if (route === undefined) return { first: [], providers: [] };
  if (providers === undefined) return route;
  const able = route.providers.filter(
    (name) =>
      providers.includes(name) ||
      costs.some(
        (known) =>
          known.provider === name &&
          known.product === product &&
          known.network === network &&
          known.planCode === planCode,
      ),
  );
  const first = route.first.filter((name) => able.includes(name));
  return { first: first.length > 0 ? first : able.slice(0, 1), providers: able };
}

function placeOf({ product, network }: { readonly product: string; readonly network: string }): string {
  return `${product}/${network}`;
}

function keyOf({ merchant, product, network, planCode }: PricedSale): string {
  return JSON.stringify([merchant, product, network, planCode]);
}

/** Sorts the sale that recovers the least of its cost first. */
function compareShares(one: PricedSale, other: PricedSale): number {
  const difference = one.charge * other.cost - other.charge * one.cost;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function groupBy<T>(items: readonly T[], nameOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(nameOf(item));
    if (group === undefined) groups.set(nameOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
