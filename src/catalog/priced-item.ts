/** A plan of the catalog as the guards of margins see it: what is ordered, and from whom. Pure. */
import type { PricedPlan } from '../margins/find-losses.ts';
import { esim } from '../products/esim.ts';
import { giftCard } from '../products/gift-card.ts';
import { billPlanCode } from './bill-plan.ts';
import type { CatalogItem } from './catalog-item.ts';

export type PricedItem = PricedPlan;

/** Undefined of a biller, and of what is not on sale to live credentials. */
export function pricedItem(item: CatalogItem): PricedItem | undefined {
  if (item.kind === 'biller' || !item.item.active) return undefined;
  const providers = Object.keys(item.item.providerCodes);
  switch (item.kind) {
    case 'bill': {
      const { product, network, price } = item.item;
      const planCode = billPlanCode(item.item);
      const isFixed = price !== undefined;
      return { product, network, planCode, currency: 'NGN', amount: price, isFixed, providers };
    }
    case 'data': {
      const { network, planCode, price: amount } = item.item;
      return {
        product: String(item.record.product),
        network,
        planCode,
        currency: 'NGN',
        amount,
        isFixed: true,
        providers,
      };
    }
    case 'giftcard': {
      if (item.item.testOnly) return undefined;
      const { planId, currency, faceValue: amount } = item.item;
      const place = { product: giftCard.name, network: giftCard.name, planCode: String(planId) };
      return { ...place, currency, amount, isFixed: false, providers };
    }
    case 'esim': {
      if (item.item.testOnly) return undefined;
      const { planId: planCode, currency, price: amount } = item.item;
      const place = { product: esim.name, network: esim.name, planCode };
      return { ...place, currency, amount, isFixed: true, providers };
    }
  }
}

type Place = Pick<PricedPlan, 'product' | 'network' | 'planCode'>;

export function isSamePlan(one: Place, other: Place): boolean {
  return one.product === other.product && one.network === other.network && one.planCode === other.planCode;
}
