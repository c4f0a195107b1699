/** Chooses the cost that a price is compared with, among the providers of a route. Pure. */
import { type ExpectedCost, isCheaper } from './expected-cost.ts';

/**
 * Returns the highest cost at the providers that may be first. If none of those is known, returns
 * the lowest cost at any provider.
 */
export function dearestFirst(
  first: readonly ExpectedCost[],
  all: readonly ExpectedCost[],
): ExpectedCost | undefined {
  const [dearest] = [...first].sort((one, other) => (isCheaper(one, other) ? 1 : -1));
  if (dearest !== undefined) return dearest;
  const [cheapest] = [...all].sort((one, other) => (isCheaper(one, other) ? -1 : 1));
  return cheapest;
}
