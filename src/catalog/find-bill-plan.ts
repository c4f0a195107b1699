/**
 * Finds the bill plan that a code stands for. A code of another network or product is recognised
 * and named, and never sold.
 */
import type { BillProduct } from '../products/product.ts';
import type { BillPlan } from './bill-plan.ts';
import { type BillPlanIndex, networkKey } from './bill-plan-index.ts';

export type BillPlanMatch =
  | { readonly kind: 'found'; readonly plan: BillPlan }
  /**
   * The code is of no plan of this network, but certainly of that plan of another network or
   * product.
   */
  | { readonly kind: 'other-network' | 'other-product'; readonly plan: BillPlan }
  | { readonly kind: 'unknown' };

/**
 * The plan on sale that `code` stands for when it is sent for `network`: its catalog id, or one of
 * the old ids of that network (interface, "Versioning").
 */
export function findBillPlan(
  plans: BillPlanIndex,
  product: BillProduct,
  network: string,
  code: string,
): BillPlanMatch {
  const key = code.toLowerCase();
  const plan = plans.byNetwork.get(networkKey(product, network))?.get(key);
  return plan === undefined ? matchElsewhere(product, network, plans.byId.get(key)) : { kind: 'found', plan };
}

/** The plan on sale that has the old `serviceId`, in any letter case, if it is of `network`. */
export function findBillPlanByService(
  plans: BillPlanIndex,
  product: BillProduct,
  network: string,
  serviceId: string,
): BillPlanMatch {
  return matchElsewhere(product, network, plans.byService.get(serviceId.toLowerCase()));
}

function matchElsewhere(product: BillProduct, network: string, plan: BillPlan | undefined): BillPlanMatch {
  if (plan === undefined) return { kind: 'unknown' };
  if (plan.product !== product) return { kind: 'other-product', plan };
  return { kind: plan.network === network ? 'found' : 'other-network', plan };
}
