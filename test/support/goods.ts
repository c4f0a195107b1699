/** Goods of a catalog, for tests in which one of them is bought, listed or found. */
import type { EsimPlan } from '../../src/catalog/esim-plan.ts';
import type { GiftCardPlan } from '../../src/catalog/gift-card-plan.ts';

type OfOnePrice = Omit<GiftCardPlan, 'faceValue' | 'minPrice' | 'maxPrice'>;

/** With one price, sold with live and test credentials, by no provider. */
export function aGiftCard(change: Partial<OfOnePrice> = {}): GiftCardPlan {
  return {
    planId: 1,
    title: 'Shop US 25',
    brand: 'Shop',
    region: 'US',
    uiCategory: 'Shopping',
    currency: 'USD',
    faceValue: 25_00n,
    minPrice: undefined,
    maxPrice: undefined,
    featured: false,
    fulfillment: 'immediate',
    testOnly: false,
    providerCodes: {},
    active: true,
    ...change,
  };
}

/** Sold with live and test credentials, by no provider. */
export function anEsim(change: Partial<EsimPlan> = {}): EsimPlan {
  return {
    planId: 'NG-1GB-7D',
    title: 'Nigeria 1 GB 7 days',
    country: 'NG',
    region: 'Africa',
    dataMb: 1_000,
    durationDays: 7,
    currency: 'USD',
    price: 218n,
    testOnly: false,
    providerCodes: {},
    active: true,
    ...change,
  };
}
