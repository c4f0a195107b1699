/**
 * Finds the data plans of a provider's list that the catalog lacks, and builds their items. Pure. A
 * plan that the catalog has from another provider gets the codes of this one, so that each is on
 * sale once. A withdrawn plan is not new.
 */

import { data } from '../core/products/data.ts';
import type { MobileNetwork } from '../core/products/network.ts';
import type { DataKind } from '../core/products/plan-kind.ts';
import { formatPlanDays, formatPlanSize, readPlanDays, readPlanSize } from '../core/products/plan-words.ts';
import { usualListCodes } from '../providers/plan-list-codes.ts';
import type { ProviderPlan } from '../providers/provider.ts';
import { type CatalogItem, pickKind } from './catalog-item.ts';
import type { ListedCost, ProviderOffer } from './compare-provider.ts';
import type { DataPlan } from './data-plan-index.ts';
import { findPriceRule, type PriceRule, priceByRule } from './margins/price-rule.ts';
import { dataItem } from './records/data-plan-record.ts';

export type NewPlans = {
  readonly items: readonly CatalogItem[];
  readonly costs: readonly ListedCost[];
  /** The codes of new plans whose kind is listed, and whose price a rule sets from their cost. */
  readonly ruled: ReadonlySet<string>;
  /** Listed plans without a price, a size or a validity, which cannot be added. */
  readonly incomplete: number;
};

/** A listed plan that can be added. Prices in kobo. */
type Listed = {
  readonly network: MobileNetwork;
  readonly codes: Readonly<Record<string, string>>;
  readonly name: string;
  readonly kind: DataKind;
  readonly isKindListed: boolean;
  readonly price: bigint;
  readonly cost: bigint | undefined;
  readonly sizeMb: number;
  readonly days: number;
};

export function findNewPlans(
  present: readonly CatalogItem[],
  offer: ProviderOffer,
  rules: readonly PriceRule[],
): NewPlans {
  const plans = pickKind(present, 'data').map(({ item }) => item);
  const { listed, incomplete } = readLists(present, plans, offer);
  const alike = Map.groupBy(listed, factsOf);
  const onSale = Map.groupBy(
    plans.filter((plan) => plan.active),
    factsOfPlan,
  );
  const next = nextNumbers(present, plans);
  const items: CatalogItem[] = [];
  const costs: ListedCost[] = [];
  const ruled = new Set<string>();
  for (const plan of listed) {
    const [same, ...others] = onSale.get(factsOf(plan)) ?? [];
    const isOne = plan.isKindListed && others.length === 0 && alike.get(factsOf(plan))?.length === 1;
    const isShared = same !== undefined && isOne && same.providerCodes[offer.provider] === undefined;
    const rule = plan.cost === undefined ? undefined : findPriceRule(rules, placeOf(plan));
    const price = rule && plan.cost !== undefined ? priceByRule(plan.cost, rule) : plan.price;
    const item: DataPlan = isShared
      ? { ...same, providerCodes: { ...same.providerCodes, [offer.provider]: plan.codes } }
      : newPlan({ ...plan, price }, offer.provider, next);
    items.push(dataItem(item));
    if (!isShared && rule !== undefined && plan.isKindListed) ruled.add(item.planCode);
    if (plan.cost !== undefined) {
      const { network, planCode } = item;
      costs.push({ product: data.name, network, planCode, price: item.price, cost: plan.cost });
    }
  }
  return { items, costs, ruled, incomplete };
}

function readLists(
  present: readonly CatalogItem[],
  plans: readonly DataPlan[],
  offer: ProviderOffer,
): { readonly listed: readonly Listed[]; readonly incomplete: number } {
  // Codes of other formats cannot be parsed.
  if (offer.listCodes !== usualListCodes) return { listed: [], incomplete: 0 };
  const known = new Set(
    present.map((item) => {
      const codes = item.kind === 'biller' ? undefined : item.item.providerCodes[offer.provider];
      return keyOf(codes ?? {});
    }),
  );
  const all = [...offer.plans].flatMap(([list, listedPlans]) => {
    const network = offer.dataLists?.get(list) ?? networkOfList(list, plans, offer.provider);
    if (network === undefined) return [];
    return listedPlans.flatMap((plan) => {
      if (plan.code === undefined) return [];
      const codes = { service_id: list, variation_code: plan.code };
      if (known.has(keyOf(codes))) return [];
      known.add(keyOf(codes));
      return [readListed(network, codes, plan)];
    });
  });
  const listed = all.filter((one) => one !== undefined);
  return { listed, incomplete: all.length - listed.length };
}

function readListed(network: MobileNetwork, codes: Listed['codes'], plan: ProviderPlan): Listed | undefined {
  const { name, price, cost, kind, fixed } = plan;
  const sizeMb = plan.sizeMb ?? readPlanSize(name);
  const days = plan.days ?? readPlanDays(name);
  if (!fixed || price === undefined || price <= 0n || sizeMb === undefined || days === undefined) {
    return undefined;
  }
  const [usual] = data.planKinds;
  const kinds = { kind: kind ?? usual, isKindListed: kind !== undefined };
  return { network, codes, name, ...kinds, price, cost, sizeMb, days };
}

/** Returns the network of a list: that of all its plans in the catalog. */
function networkOfList(
  list: string,
  plans: readonly DataPlan[],
  provider: string,
): MobileNetwork | undefined {
  const [network, ...others] = new Set(
    plans
      .filter(({ providerCodes }) => providerCodes[provider]?.service_id === list)
      .map((plan) => plan.network),
  );
  return others.length === 0 ? network : undefined;
}

const placeOf = ({ network, kind }: Listed) => ({ product: data.name, network, kind });

function keyOf({ service_id: list, variation_code: plan }: Readonly<Record<string, string>>): string {
  return JSON.stringify([list, plan]);
}

function factsOf({ network, kind, sizeMb, days }: Listed): string {
  return `${network} ${kind} ${sizeMb} ${days}`;
}

function factsOfPlan({ network, planKind, size, validity }: DataPlan): string {
  return `${network} ${planKind} ${readPlanSize(size)} ${readPlanDays(validity)}`;
}

/** Returns a function that gives the next free id, and the next number of a plan code. */
function nextNumbers(present: readonly CatalogItem[], plans: readonly DataPlan[]) {
  const ids = new Set(
    present.flatMap((item) => (item.kind === 'data' || item.kind === 'bill' ? [item.item.id] : [])),
  );
  const codes = new Set(plans.map((plan) => plan.planCode));
  let id = FIRST_ID;
  let number = FIRST_ID;
  return (network: MobileNetwork): { readonly id: number; readonly planCode: string } => {
    while (ids.has(id)) id += 1;
    while (codes.has(`${network}-${number}`)) number += 1;
    ids.add(id);
    codes.add(`${network}-${number}`);
    return { id, planCode: `${network}-${number}` };
  };
}

/** Above the ids, the plan codes and the old codes of hand-written catalogs. */
const FIRST_ID = 100_001;

function newPlan(
  { network, codes, name, kind, price, sizeMb, days }: Listed,
  provider: string,
  next: ReturnType<typeof nextNumbers>,
): DataPlan {
  const [size, validity] = [formatPlanSize(sizeMb), formatPlanDays(days)];
  const { id, planCode } = next(network);
  return {
    planCode,
    id,
    network,
    name: `${network} ${size}, ${validity}`,
    description: name.slice(0, 200),
    price,
    // A number could be an old code of another plan.
    tariffTypeId: planCode,
    legacyProductId: undefined,
    validity,
    size,
    group: groups.find(({ until }) => days <= until)?.name ?? 'Other',
    planKind: kind,
    shortCode: planCode,
    providerCodes: { [provider]: codes },
    active: true,
  };
}

const groups = [
  { until: 6, name: 'Daily' },
  { until: 29, name: 'Weekly' },
  { until: 31, name: 'Monthly' },
  { until: 62, name: '2-Month' },
  { until: 93, name: '3-Month' },
];
