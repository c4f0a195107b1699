/**
 * An index of the bill plans on sale: any code that an order or a verification may carry is found
 * by one look-up in a map. Guarantees, as for data plans, that no code stands for two plans: a
 * catalog with such a code is refused as a whole.
 */
import type { BillProduct } from '../products/product.ts';
import type { BillPlan } from './bill-plan.ts';
import { AmbiguousCatalogError, type Clash, claimCode, nameClash } from './clash.ts';

export type BillPlanIndex = {
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

/**
 * Indexes the active plans. Throws an AmbiguousCatalogError that lists each code that two of them
 * share.
 */
export function indexBillPlans(plans: readonly BillPlan[]): BillPlanIndex {
  const { index, clashes } = build(plans);
  if (clashes.length > 0) {
    const named = clashes.map((clash) => nameClash(clash, ({ id }) => String(id)));
    throw new AmbiguousCatalogError('bill plans', named);
  }
  return index;
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
