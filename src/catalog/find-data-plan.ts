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
  /** The network is sold by amount, and none of its plans costs that. */
  | { readonly kind: 'no-such-amount' }
  | { readonly kind: 'unknown' };

/** The networks whose plans are sold by amount: the amount decides which plan a code stands for. */
const soldByAmount: ReadonlySet<MobileNetwork> = new Set(['9MOBILE']);

/**
 * The plan on sale that `code` stands for when it is sent for `network`, in any letter case: a plan
 * code, a short code, or one of the old codes of that network. On a network that is sold by amount
 * it is the plan of that price: the one that the code names, or else the first in catalog order. On
 * the other networks the caller compares the price.
 */
export function findDataPlan(
  plans: DataPlanIndex,
  network: MobileNetwork,
  code: string,
  amount?: bigint,
): DataPlanMatch {
  const key = code.toLowerCase();
  const plan = plans.byNetwork.get(network)?.get(key);
  if (plan !== undefined) {
    if (amount === undefined || plan.price === amount) return { kind: 'found', plan };
    return soldByAmount.has(network) ? findByPrice(plans, network, amount) : { kind: 'found', plan };
  }
  const elsewhere = plans.anywhere.get(key);
  // A catalog id of this very network lands here where the network does not take catalog ids.
  return elsewhere !== undefined && elsewhere.network !== network
    ? { kind: 'other-network', plan: elsewhere }
    : { kind: 'unknown' };
}

function findByPrice(plans: DataPlanIndex, network: MobileNetwork, price: bigint): DataPlanMatch {
  const plan = plans.listed.get(network)?.find((one) => one.price === price);
  return plan === undefined ? { kind: 'no-such-amount' } : { kind: 'found', plan };
}
