/**
 * An index of the data plans on sale: any code that an order may carry is found by one look-up in a
 * map. Guarantees that no code stands for two plans of a network: a catalog with such a code is
 * refused as a whole, since otherwise the wrong plan could be sold.
 */
import { type MobileNetwork, mobileNetworks } from '../core/products/network.ts';
import { type Clash, claimCode, requireUnambiguous } from './clash.ts';

type DataPlanIndex = {
  /** By network, in catalog order. */
  readonly listed: ReadonlyMap<MobileNetwork, readonly DataPlan[]>;
  /** By network, then by every code accepted for it, in lower case. */
  readonly byNetwork: ReadonlyMap<MobileNetwork, ReadonlyMap<string, DataPlan>>;
  /** By the codes that mean the same on whichever network they are sent to, in lower case. */
  readonly anywhere: ReadonlyMap<string, DataPlan>;
};

/**
 * The old codes still accepted beside plan code and short code (interface, "Versioning"). In the
 * first network a bare number is a tariff type id and never a catalog id, even where a plan has
 * that catalog id. The second takes the tariff type id too: the list shows it as the product id.
 * The fourth is sold by amount: its plan says which price goes to the provider, and tariff ids mean
 * nothing.
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

/** Every code that two active plans share. */
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

export type DataPlan = {
  /** `<NETWORK>-<n>`, the reference a merchant should order by. */
  readonly planCode: string;
  /** The catalog id, unique over every product's plans. */
  readonly id: number;
  readonly network: MobileNetwork;
  readonly name: string;
  readonly description: string;
  /** Face value in kobo; an order's amount must equal it. */
  readonly price: bigint;
  /** The network operator's own id of the tariff; not a catalog id, though it may look like one. */
  readonly tariffTypeId: string;
  /** The product id that clients of the second network still order by. */
  readonly legacyProductId: string | undefined;
  readonly validity: string;
  readonly size: string;
  /** The period that plans are listed under: `Daily`, `Weekly`, `Monthly`. */
  readonly group: string;
  /** A code for people, such as `MTN-1GB-30D`. */
  readonly shortCode: string;
  /** The plan's codes by provider name. Each provider has codes of its own form. */
  readonly providerCodes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** False: withdrawn from sale, neither listed nor found. */
  readonly active: boolean;
};
