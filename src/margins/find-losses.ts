/**
 * Finds what a change of prices, rates, discounts or routes would sell below cost. Pure.
 *
 * Guarantees: a sale whose charge the change takes below the cost of the provider that would serve
 * it, or of the cheapest where that one's is not known, is found, whichever part of the price the
 * change touches. A change after which nothing earns less of its cost than before finds nothing.
 */
import { atRate, type Rate } from '../kernel/exchange.ts';
import { applyDiscount, type Currency } from '../kernel/money.ts';
import { type ExpectedCost, expectedCost, isCheaper, type KnownCost, type Ordered } from './expected-cost.ts';

export type PricedPlan = Omit<Ordered, 'planCode'> & {
  readonly product: string;
  readonly network: string;
  readonly planCode: string;
  /** Those that the catalog has codes of; undefined: any. */
  readonly providers: readonly string[] | undefined;
};

export type PricedDiscount = {
  readonly merchant: string;
  readonly product: string;
  readonly network: string;
  readonly basisPoints: number;
};

/** Everything that live prices and costs depend on. */
export type PriceList = {
  readonly plans: readonly PricedPlan[];
  readonly discounts: readonly PricedDiscount[];
  readonly rates: ReadonlyMap<Currency, Rate>;
  /** Live providers in order, by `<product>/<network>`, or `<product>/*`. */
  readonly routes: ReadonlyMap<string, readonly string[]>;
  readonly costs: readonly KnownCost[];
};

/** One merchant's purchase of a plan, or of the amount that the provider sold at last. */
export type PricedSale = {
  /** Undefined: every merchant without a discount. */
  readonly merchant: string | undefined;
  readonly product: string;
  readonly network: string;
  readonly planCode: string;
  readonly currency: Currency;
  readonly provider: string;
  readonly amount: bigint;
  /** In kobo, as is the charge. */
  readonly cost: bigint;
  readonly charge: bigint;
};

/** Those that lose after the change and earn less than before it, worst first. */
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

/** Of all that can be bought and whose cost is known. */
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
      ...(discounts.get(placeOf(plan)) ?? []).map(({ merchant, basisPoints }) => ({
        ...sale,
        merchant,
        charge: applyDiscount(expected.amount, basisPoints),
      })),
    ];
  });
}

/** Of the first provider, or of the cheapest where the first has not said what it takes. */
function referenceCost(
  costs: readonly KnownCost[],
  route: readonly string[],
  plan: PricedPlan,
): ExpectedCost | undefined {
  const expected = route.map((provider) => expectedCost(costs, provider, plan));
  if (expected[0] !== undefined) return expected[0];
  return expected.reduce(
    (least, one) => (one !== undefined && (least === undefined || isCheaper(one, least)) ? one : least),
    undefined,
  );
}

/** Those that have sold the plan can serve it, whatever codes it has. */
function routeOf({ routes, costs }: PriceList, plan: PricedPlan): readonly string[] {
  const { product, network, planCode, providers } = plan;
  const route = routes.get(`${product}/${network}`) ?? routes.get(`${product}/*`) ?? [];
  if (providers === undefined) return route;
  return route.filter(
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
}

function placeOf({ product, network }: { readonly product: string; readonly network: string }): string {
  return `${product}/${network}`;
}

function keyOf({ merchant, product, network, planCode }: PricedSale): string {
  return JSON.stringify([merchant, product, network, planCode]);
}

/** The one that brings the least of its cost comes first. */
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
