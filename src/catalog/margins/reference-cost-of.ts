/** Estimates our cost of a merchant's order for every provider that may be first. Pure. */
import { type LivePrices, type PricedPlan, placeOf, referenceCost } from './find-losses.ts';

type Place = Pick<PricedPlan, 'product' | 'network' | 'planKind'> & {
  readonly planCode?: string | undefined;
};

/** Returns the cost in kobo of an order of `faceValue` kobo. Undefined without any known cost. */
export type CostOf = (place: Place, faceValue: bigint) => bigint | undefined;

export function costReader(prices: LivePrices): CostOf {
  const costs = Map.groupBy(prices.costs, placeOf);
  const plans = new Map(prices.plans.map((plan) => [keyOf(plan), plan]));
  return (place, faceValue) => {
    const known = plans.get(keyOf(place)) ?? plans.get(keyOf({ ...place, planCode: '' }));
    if (known === undefined) return undefined;
    const plan = { ...known, planCode: place.planCode ?? known.planCode, amount: faceValue };
    return referenceCost(prices, costs.get(placeOf(place)), plan)?.cost;
  };
}

/** Costs of airtime are known by its kind, which is empty for the usual one. */
function keyOf({ product, network, planKind, planCode }: Place): string {
  return `${product}/${network}/${planCode ?? planKind ?? ''}`;
}
