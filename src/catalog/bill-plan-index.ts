/**
 * An index of the bill plans on sale: any code that an order or a verification may carry is found
 * by one look-up in a map. Guarantees, as for data plans, that no code stands for two plans: a
 * catalog with such a code is refused as a whole.
 */
import type { BillProduct } from '../core/products/product.ts';
import type { BillPlan } from './bill-plan.ts';
import { type Clash, claimCode, requireUnambiguous } from './clash.ts';

type BillPlanIndex = {
  /** In catalog order, by `networkKey`. */
  readonly listed: ReadonlyMap<string, readonly BillPlan[]>;
  /** By `networkKey`, then by every code accepted for the network, in lower case. */
  readonly byNetwork: ReadonlyMap<string, ReadonlyMap<string, BillPlan>>;
  /** By the code that means the same everywhere, the catalog id. */
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

/** Every code that two active plans share. */
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
