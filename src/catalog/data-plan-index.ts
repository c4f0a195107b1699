/**
 * An index of the data plans on sale. Every code of an order is found by one map lookup. A code
 * never names two plans of a network: a catalog with such a code is refused, because the wrong plan
 * could be sold.
 */
import { type MobileNetwork, mobileNetworks } from '../core/products/network.ts';
import type { DataKind } from '../core/products/plan-kind.ts';
import { type Clash, claimCode, requireUnambiguous } from './clash.ts';

type DataPlanIndex = {
  /** By network, in catalog order. */
  readonly listed: ReadonlyMap<MobileNetwork, readonly DataPlan[]>;
  /** By network, then by every code accepted for it, in lower case. */
  readonly byNetwork: ReadonlyMap<MobileNetwork, ReadonlyMap<string, DataPlan>>;
  /** By the codes that are unique over all networks, in lower case. */
  readonly anywhere: ReadonlyMap<string, DataPlan>;
};

/**
 * The old codes that are accepted beside plan code and short code. On MTN, the
 * first network, a bare number is a tariff type id and never a catalog id. The second
 * network also accepts the tariff type id, which the list shows as the product id. The fourth is
 * sold by amount, so it has no tariff ids.
 */
const legacyCodes: Readonly<Record<MobileNetwork, (plan: DataPlan) => readonly (string | undefined)[]>> = {
  MTN: (plan) => [plan.tariffTypeId],
  GLO: (plan) => [catalogId(plan), plan.legacyProductId, plan.tariffTypeId],
  AIRTEL: (plan) => [catalogId(plan), plan.tariffTypeId],
  '9MOBILE': (plan) => [catalogId(plan)],
};

/** Indexes the active plans. Throws AmbiguousCatalogError for a code that two of them share. */
export function indexDataPlans(plans: readonly DataPlan[]): DataPlanIndex {
  return requireUnambiguous('data plans', build(plans), ({ planCode }) => planCode);
}

/** Finds every code that two active plans share. */
export function findCodeClashes(plans: readonly DataPlan[]): readonly Clash<DataPlan>[] {
  return build(plans).clashes;
}

function build(plans: readonly DataPlan[]): { index: DataPlanIndex; clashes: Clash<DataPlan>[] } {
  const listed = new Map(mobileNetworks.map((network) => [network, [] as DataPlan[]]));
  const byNetwork = new Map(mobileNetworks.map((network) => [network, new Map<string, DataPlan>()]));
  const anywhere = new Map<string, DataPlan>();
  const clashes: Clash<DataPlan>[] = [];

  for (const plan of plans) {
    if (!plan.active) continue;
    listed.get(plan.network)?.push(plan);
    for (const code of [plan.planCode, plan.shortCode, catalogId(plan)]) {
      claimCode(anywhere, { scope: 'code', code, thing: plan }, clashes);
    }
    const codes = byNetwork.get(plan.network) ?? new Map<string, DataPlan>();
    for (const code of [plan.planCode, plan.shortCode, ...legacyCodes[plan.network](plan)]) {
      if (code !== undefined) claimCode(codes, { scope: plan.network, code, thing: plan }, clashes);
    }
  }
  return { index: { listed, byNetwork, anywhere }, clashes };
}

function catalogId(plan: DataPlan): string {
  return String(plan.id);
}

export type DataPlanMatch =
  | { readonly kind: 'found'; readonly plan: DataPlan }
  /** The code belongs to that plan of another network. The error message says so. */
  | { readonly kind: 'other-network'; readonly plan: DataPlan }
  /** The network is sold by amount, and no plan has that price. */
  | { readonly kind: 'no-such-amount' }
  | { readonly kind: 'unknown' };

/** The networks whose plans are sold by amount: the amount decides the plan. */
const soldByAmount: ReadonlySet<MobileNetwork> = new Set(['9MOBILE']);

/**
 * Finds the plan on sale by a code that is sent for `network`, in any letter case: a plan code, a
 * short code, or an old code of that network. On a network that is sold by amount, the price
 * decides: the named plan if its price matches, or else the first plan with that price. On other
 * networks the caller compares the price.
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
  // This may be a catalog id of the same network, which does not accept catalog ids.
  return elsewhere !== undefined && elsewhere.network !== network
    ? { kind: 'other-network', plan: elsewhere }
    : { kind: 'unknown' };
}

function findByPrice(plans: DataPlanIndex, network: MobileNetwork, price: bigint): DataPlanMatch {
  const plan = plans.listed.get(network)?.find((one) => one.price === price);
  return plan === undefined ? { kind: 'no-such-amount' } : { kind: 'found', plan };
}

export type DataPlan = {
  /** The code that merchants should order by: `<NETWORK>-<n>`. */
  readonly planCode: string;
  /** The catalog id, unique over every product's plans. */
  readonly id: number;
  readonly network: MobileNetwork;
  readonly name: string;
  readonly description: string;
  /** Face value in kobo; an order's amount must equal it. */
  readonly price: bigint;
  /** The network operator's id of the tariff. It may look like a catalog id. */
  readonly tariffTypeId: string;
  /** The product id by which clients of the second network still order. */
  readonly legacyProductId: string | undefined;
  readonly validity: string;
  readonly size: string;
  /** The period that plans are listed under: `Daily`, `Weekly`, `Monthly`. */
  readonly group: string;
  readonly planKind: DataKind;
  /** A readable code, such as `MTN-1GB-30D`. */
  readonly shortCode: string;
  /** The plan's codes by provider. Each provider has its own form of codes. */
  readonly providerCodes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** False: withdrawn from sale. */
  readonly active: boolean;
};
