/** A plan of the catalog as the guards of margins see it: what is ordered, and from whom. Pure. */
import type { PricedPlan } from '../margins/find-losses.ts';
import { billPlanCode } from './bill-plan.ts';
import type { CatalogItem } from './catalog-item.ts';

export type PricedItem = PricedPlan;

/** Undefined of a biller, and of what is not on sale to live credentials. */
export function pricedItem(item: CatalogItem): PricedItem | undefined {
  if (item.kind === 'biller' || !item.item.active) return undefined;
  const product = String(item.record.product);
  const providers = Object.keys(item.item.providerCodes);
  switch (item.kind) {
    case 'bill': {
      const { network, price: amount } = item.item;
      const planCode = billPlanCode(item.item);
      const isFixed = amount !== undefined;
      return { product, network, planCode, currency: 'NGN', amount, isFixed, providers };
    }
    case 'data': {
      const { network, planCode, price: amount } = item.item;
      return { product, network, planCode, currency: 'NGN', amount, isFixed: true, providers };
    }
    case 'giftcard': {
      const { planId, currency, faceValue: amount, testOnly } = item.item;
      const place = { product, network: product, planCode: String(planId) };
      return testOnly ? undefined : { ...place, currency, amount, isFixed: false, providers };
    }
    case 'esim': {
      const { planId: planCode, currency, price: amount, testOnly } = item.item;
      const place = { product, network: product, planCode };
      return testOnly ? undefined : { ...place, currency, amount, isFixed: true, providers };
    }
  }
}

type Place = Pick<PricedPlan, 'product' | 'network' | 'planCode'>;

export function isSamePlan(one: Place, other: Place): boolean {
  return one.product === other.product && one.network === other.network && one.planCode === other.planCode;
}
