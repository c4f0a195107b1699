// Catalog items as the wire has them. A catalog of thousands is asked for all the time and seldom changes, so each item
// is written once for as long as the catalog holds it, and a list is put together from those texts.
import type { EsimPlan } from '../../catalog/esim-plan.ts';
import type { GiftCardPlan } from '../../catalog/gift-card-plan.ts';
import type { Listed } from '../../catalog/goods-index.ts';
import { formatAmount } from '../../kernel/money.ts';

export function giftCardItem({ plan, ngnPrice }: Listed<GiftCardPlan>): Record<string, unknown> {
  return {
    plan_id: plan.planId,
    title: plan.title,
    brand: plan.brand,
    ...(plan.region !== undefined && { region: plan.region }),
    ui_category: plan.uiCategory,
    ...(plan.faceValue === undefined
      ? { min_price: toNumber(plan.minPrice), max_price: toNumber(plan.maxPrice) }
      : { face_value: toNumber(plan.faceValue) }),
    currency_code: plan.currency,
    ...(ngnPrice !== undefined && { ngn_price: formatAmount(ngnPrice) }),
    fixed_price: plan.faceValue !== undefined,
    featured: plan.featured,
  };
}

export function esimItem({
  plan,
  ngnPrice,
}: Pick<Listed<EsimPlan>, 'plan' | 'ngnPrice'>): Record<string, unknown> {
  return {
    plan_id: plan.planId,
    title: plan.title,
    country: plan.country ?? '',
    region: plan.region,
    data_gb: plan.dataMb / 1_000,
    duration_days: plan.durationDays,
    currency_code: plan.currency,
    ...(ngnPrice !== undefined && { ngn_price: formatAmount(ngnPrice) }),
  };
}

/** A face value as the JSON number the interface wants; money inside is never one. */
export function toNumber(minor: bigint): number {
  return Number(formatAmount(minor));
}

/** The body of a catalog answer, as bytes of JSON. */
export type ListWriter<Plan> = (listed: readonly Listed<Plan>[]) => Buffer;

export function createListWriter<Plan>(
  write: (item: Listed<Plan>) => Record<string, unknown>,
): ListWriter<Plan> {
  const items = new WeakMap<Listed<Plan>, string>();
  // A catalog that is asked for whole is the same list until it is read again.
  const bodies = new WeakMap<readonly Listed<Plan>[], Buffer>();
  const itemText = (item: Listed<Plan>): string => {
    let text = items.get(item);
    if (text === undefined) {
      text = JSON.stringify(write(item));
      items.set(item, text);
    }
    return text;
  };
  return (listed) => {
    let body = bodies.get(listed);
    if (body === undefined) {
      const head = `{"status":"success","code":200,"message":"${listed.length} found","data":[`;
      body = Buffer.from(`${head}${listed.map(itemText).join(',')}]}`);
      bodies.set(listed, body);
    }
    return body;
  };
}
