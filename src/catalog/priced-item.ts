/** The price of an item of the catalog, as the loss guards compare it. Pure. */
import { billPlanCode } from './bill-plan.ts';
import type { CatalogItem } from './catalog-item.ts';
import type { PricedPlan } from './margins/find-losses.ts';

/** Returns the price of a plan. Undefined for billers and things not on sale in live. */
export function pricedItem(item: CatalogItem): PricedPlan | undefined {
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
      const { network, planCode, planKind, price: amount } = item.item;
      return { product, network, planKind, planCode, currency: 'NGN', amount, isFixed: true, providers };
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

/** Identifies a plan among all products. */
export function planKey({
  product,
  network,
  planCode,
}: Pick<PricedPlan, 'product' | 'network' | 'planCode'>): string {
  return `${product}/${network}/${planCode}`;
}
