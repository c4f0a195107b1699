/**
 * An index of the bill plans on sale. Every code of an order or a verification is found by one map
 * lookup. A code never names two plans: a catalog with such a code is refused.
 */
import type { BillProduct } from '../core/products/product.ts';
import type { BillPlan } from './bill-plan.ts';
import { type Clash, claimCode, requireUnambiguous } from './clash.ts';

type BillPlanIndex = {
  /** In catalog order, by `networkKey`. */
  readonly listed: ReadonlyMap<string, readonly BillPlan[]>;
  /** By `networkKey`, then by every code accepted for the network, in lower case. */
  readonly byNetwork: ReadonlyMap<string, ReadonlyMap<string, BillPlan>>;
  /** By the catalog id, which is unique over all networks. */
  readonly byId: ReadonlyMap<string, BillPlan>;
  /** By service id, in lower case. */
  readonly byService: ReadonlyMap<string, BillPlan>;
};

export function networkKey(product: BillProduct, network: string): string {
  return `${product} ${network}`;
}

/** Indexes the active plans. Throws AmbiguousCatalogError for a code that two of them share. */
export function indexBillPlans(plans: readonly BillPlan[]): BillPlanIndex {
  return requireUnambiguous('bill plans', build(plans), ({ id }) => String(id));
}

/** Finds every code that two active plans share. */
export function findBillCodeClashes(plans: readonly BillPlan[]): readonly Clash<BillPlan>[] {
  return build(plans).clashes;
}

function build(plans: readonly BillPlan[]): { index: BillPlanIndex; clashes: Clash<BillPlan>[] } {
  const listed = new Map<string, BillPlan[]>();
  const byNetwork = new Map<string, Map<string, BillPlan>>();
  const byId = new Map<string, BillPlan>();
  const byService = new Map<string, BillPlan>();
  const clashes: Clash<BillPlan>[] = [];

  for (const plan of plans) {
    if (!plan.active) continue;
    const key = networkKey(plan.product, plan.network);
    listed.set(key, [...(listed.get(key) ?? []), plan]);
    claimCode(byId, { scope: 'id', code: String(plan.id), thing: plan }, clashes);
    if (plan.serviceId !== undefined) {
      claimCode(byService, { scope: 'service', code: plan.serviceId, thing: plan }, clashes);
    }
    const codes = byNetwork.get(key) ?? new Map<string, BillPlan>();
    byNetwork.set(key, codes);
    for (const code of [String(plan.id), plan.tariffTypeId, plan.legacyProductId]) {
      if (code !== undefined) claimCode(codes, { scope: plan.network, code, thing: plan }, clashes);
    }
  }
  return { index: { listed, byNetwork, byId, byService }, clashes };
}

export type BillPlanMatch =
  | { readonly kind: 'found'; readonly plan: BillPlan }
  /** The code belongs to that plan of another network or product. */
  | { readonly kind: 'other-network' | 'other-product'; readonly plan: BillPlan }
  | { readonly kind: 'unknown' };

/**
 * Finds the plan on sale by a code that is sent for `network`: its catalog id, or an old id of that
 * network.
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

/**
 * Finds the plan on sale by its old `serviceId`, in any letter case, or by a code that
 * `findBillPlan` accepts.
 */
export function findBillPlanByService(
  plans: BillPlanIndex,
  product: BillProduct,
  network: string,
  serviceId: string,
): BillPlanMatch {
  const plan = plans.byService.get(serviceId.toLowerCase());
  return plan === undefined
    ? findBillPlan(plans, product, network, serviceId)
    : matchElsewhere(product, network, plan);
}

function matchElsewhere(product: BillProduct, network: string, plan: BillPlan | undefined): BillPlanMatch {
  if (plan === undefined) return { kind: 'unknown' };
  if (plan.product !== product) return { kind: 'other-product', plan };
  return { kind: plan.network === network ? 'found' : 'other-network', plan };
}
