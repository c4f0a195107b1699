/**
 * Finds the data plan that a code stands for. A code of another network is recognised and named,
 * and never sold.
 */
import type { MobileNetwork } from '../products/network.ts';
import type { DataPlan } from './data-plan.ts';
import type { DataPlanIndex } from './data-plan-index.ts';

export type DataPlanMatch =
  | { readonly kind: 'found'; readonly plan: DataPlan }
  /**
   * The code is of no plan of this network, but certainly of that plan of another network. The
   * merchant is told so.
   */
  | { readonly kind: 'other-network'; readonly plan: DataPlan }
  | { readonly kind: 'unknown' };

/**
 * The plan on sale that `code` stands for when it is sent for `network`, in any letter case: a plan
 * code, a short code, or one of the old codes of that network.
 */
export function findDataPlan(plans: DataPlanIndex, network: MobileNetwork, code: string): DataPlanMatch {
  const key = code.toLowerCase();
  const plan = plans.byNetwork.get(network)?.get(key);
  if (plan !== undefined) return { kind: 'found', plan };
  const elsewhere = plans.anywhere.get(key);
  // A catalog id of this very network lands here where the network does not take catalog ids.
  return elsewhere !== undefined && elsewhere.network !== network
    ? { kind: 'other-network', plan: elsewhere }
    : { kind: 'unknown' };
}
