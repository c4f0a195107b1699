/**
 * Finds the sales that a change of prices, lists, rates or routes would take below cost. Pure.
 *
 * Guarantees: finds every sale whose charge falls below the cost at the provider that would serve
 * it, or at the cheapest provider when that cost is unknown, whichever part of the price changes.
 * Ignores sales that do not earn less of their cost than before.
 */
import { atRate, type Rate } from '../../core/exchange.ts';
import type { Currency } from '../../core/money.ts';
import { chargeByRule, type PriceRules, placesOf, ruleAt } from '../../merchants/prices/price-rule.ts';
import { mostSpecific } from '../most-specific.ts';
import { type ExpectedCost, expectedCost, type KnownCost, type Ordered } from './expected-cost.ts';
import { dearestFirst } from './reference-cost.ts';

export type PricedPlan = Omit<Ordered, 'planCode'> & {
  readonly product: string;
  readonly network: string;
  /** The kind of the plan or of airtime; absent of products without kinds. */
  readonly planKind?: string | undefined;
  readonly planCode: string;
  /** The providers that the catalog has codes of; undefined: any. */
  readonly providers: readonly string[] | undefined;
};

/** The current or future rules of a merchant, or of the merchants of a list. */
export type BuyerPrices = {
  /** The code of a merchant, or the name of a list with its version. */
  readonly buyer: string;
  readonly rules: PriceRules;
};

export type PricedRoute = {
  /** The providers that may get purchases first: one, or several with shares or a strategy. */
  readonly first: readonly string[];
  /** All providers, in order. */
  readonly providers: readonly string[];
};

/** Everything that live prices and costs depend on. */
export type LivePrices = {
  readonly plans: readonly PricedPlan[];
  readonly lists: readonly BuyerPrices[];
  readonly rates: ReadonlyMap<Currency, Rate>;
  /** The live routes by `<product>/<network>/<kind>`, where `*` stands for all. */
  readonly routes: ReadonlyMap<string, PricedRoute>;
  readonly costs: readonly KnownCost[];
};

/** A purchase of a plan by one merchant, or of the amount of the provider's last sale. */
export type PricedSale = {
  /** As in `BuyerPrices`. Undefined: every merchant that pays the face value. */
  readonly buyer: string | undefined;
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

/** The effect of a price change on the sale of a plan at its face value. */
export type PriceEffect = {
  /** Undefined while no cost is known. */
  readonly before: PricedSale | undefined;
  readonly after: PricedSale | undefined;
  /** The sales of the plan that the change takes below cost, worst first. */
  readonly losses: readonly PricedSale[];
};

/** Returns the sales that lose after the change and earn less than before, worst first. */
export function findLosses(before: LivePrices, after: LivePrices): PricedSale[] {
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

/** Lists the products with a known cost that merchants at face value can buy. */
export function listFaceValueSales(list: LivePrices): PricedSale[] {
  return listSales({ ...list, lists: [] });
}

/** Lists everything that can be bought at a known cost. */
function listSales(list: LivePrices): PricedSale[] {
  const costs = Map.groupBy(list.costs, placeOf);
  return list.plans.flatMap((plan) => {
    const expected = referenceCost(list, costs.get(placeOf(plan)), plan);
    if (expected === undefined) return [];
    const { product, network, planCode, currency } = plan;
    const sale = { product, network, planCode, currency, ...expected };
    if (currency !== 'NGN') {
      const rate = list.rates.get(currency);
      const charge = rate && atRate(expected.amount, rate);
      return charge === undefined ? [] : [{ ...sale, buyer: undefined, charge }];
    }
    const { amount, cost } = expected;
    const places = placesOf(plan);
    const priced = list.lists.flatMap(({ buyer, rules }) => {
      const rule = ruleAt(rules, places);
      return rule === undefined ? [] : [{ ...sale, buyer, charge: chargeByRule(rule, amount, cost) }];
    });
    return [{ ...sale, buyer: undefined, charge: amount }, ...priced];
  });
}

/**
 * Returns the cost that the price of a plan is compared with. `costs` are those of its product and
 * network. Undefined without any known cost.
 */
export function referenceCost(
  list: LivePrices,
  costs: readonly KnownCost[] | undefined,
  plan: PricedPlan,
): ExpectedCost | undefined {
  if (costs === undefined) return undefined;
  const { first, providers } = routeOf(list, plan);
  const expect = (names: readonly string[]): readonly ExpectedCost[] =>
    names.flatMap((provider) => expectedCost(costs, provider, plan) ?? []);
  return dearestFirst(expect(first), expect(providers));
}

/** Returns the route of a plan. Providers that have sold the plan can serve it without codes. */
function routeOf({ routes, costs }: LivePrices, plan: PricedPlan): PricedRoute {
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

export function placeOf({
  product,
  network,
}: {
  readonly product: string;
  readonly network: string;
}): string {
  return `${product}/${network}`;
}

function keyOf({ buyer, product, network, planCode }: PricedSale): string {
  return JSON.stringify([buyer, product, network, planCode]);
}

/** Sorts the sale that recovers the least of its cost first. */
function compareShares(one: PricedSale, other: PricedSale): number {
  const difference = one.charge * other.cost - other.charge * one.cost;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
