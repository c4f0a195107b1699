/**
 * Removes the providers from a route that would sell a product at a loss, if its guard is `stop`. A
 * product without such a guard costs one map lookup.
 */

import type { GuardedSale, Guards } from '../../catalog/margins/guards.ts';
import type { Environment } from '../../core/environment.ts';
import { recordOf } from '../../core/products/registry.ts';
import type { PurchaseDetails } from '../state/purchase-details.ts';

type Purchase = {
  readonly environment: Environment;
  readonly product: string;
  readonly network: string;
  readonly faceValue: bigint;
  readonly charge: bigint;
  readonly details: PurchaseDetails | undefined;
  /** Absent if it is unknown. */
  readonly planCode?: string | undefined;
  /** The provider has its own price for the plan. */
  readonly isFixed?: boolean;
};

/**
 * The providers of the route that are not known to cost more than the merchant pays. May be empty.
 */
export function guardedRoute(
  guards: Guards,
  purchase: Purchase,
  route: readonly string[],
): readonly string[] {
  if (!guards.stops(purchase.environment, purchase.product, purchase.network)) return route;
  const sale = saleOf(purchase);
  return route.filter((provider) => !guards.loses(sale, provider));
}

export function sellsAtLoss(guards: Guards, purchase: Purchase, provider: string): boolean {
  return guardedRoute(guards, purchase, [provider]).length === 0;
}

export function saleOf({ details, planCode, isFixed = false, ...purchase }: Purchase): GuardedSale {
  const item = details?.item;
  const hasNoPlans = recordOf(purchase.product)?.plans === 'none';
  return {
    ...purchase,
    // Costs of airtime are known by its kind, which is empty for the usual one.
    planCode: planCode ?? (hasNoPlans ? (details?.kind ?? '') : undefined),
    isFixed,
    item: item && { currency: item.currency, amount: BigInt(item.unitPrice) * BigInt(item.quantity) },
  };
}
