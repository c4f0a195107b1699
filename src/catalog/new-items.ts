/**
 * Gift cards and eSIMs that a provider lists and the catalog does not have yet, as items to add.
 * Pure.
 */
import { formatAmount } from '../kernel/money.ts';
import type { OrderProduct } from '../products/product.ts';
import { recordOf } from '../products/registry.ts';
import type { ProviderListing } from '../providers/provider.ts';
import { type CatalogItem, pickKind, thingsOf } from './catalog-item.ts';
import { type GoodsCurrency, isGoodsCurrency } from './fx-rate.ts';
import type { CardValue } from './gift-card-plan.ts';
import { cardValueOf, isSame } from './match-listing.ts';
import { esimItem } from './records/esim-record.ts';
import { giftCardItem } from './records/gift-card-record.ts';

/** Above those of the demo catalog and below its test plans. */
const FIRST_CARD_ID = 400_001;

/** Those of a provider's `listings` that `present` does not have. */
export function findNewItems(
  product: OrderProduct,
  listings: readonly ProviderListing[],
  present: readonly CatalogItem[],
  provider: string,
): CatalogItem[] {
  const cards = thingsOf(pickKind(present, 'giftcard'));
  const esims = thingsOf(pickKind(present, 'esim'));
  let nextId = Math.max(
    FIRST_CARD_ID,
    ...cards.filter((plan) => !plan.testOnly).map((plan) => plan.planId + 1),
  );
  return listings.flatMap((listing) => {
    const { currency, isUnreadable } = listing;
    if (isUnreadable === true || !isGoodsCurrency(currency)) return [];
    if (recordOf(product).plans === 'esim') {
      const known = esims.some((plan) => isSame(listing.planCodes, plan.providerCodes[provider]));
      return known ? [] : newEsim(listing, currency, provider);
    }
    const value = cardValueOf(listing);
    const known = cards.some(
      (plan) =>
        isSame(listing.planCodes, plan.providerCodes[provider]) &&
        plan.currency === currency &&
        (plan.faceValue === undefined || plan.faceValue === listing.price),
    );
    if (known || value === undefined) return [];
    nextId += 1;
    return [newCard(listing, currency, value, nextId - 1, provider)];
  });
}

function newCard(
  listing: ProviderListing,
  currency: GoodsCurrency,
  value: CardValue,
  planId: number,
  provider: string,
): CatalogItem {
  const worth =
    value.faceValue === undefined
      ? `${formatAmount(value.minPrice)} to ${formatAmount(value.maxPrice)}`
      : formatAmount(value.faceValue);
  const isNamed = listing.country === undefined || listing.title.endsWith(` ${listing.country}`);
  const where = isNamed ? '' : ` ${listing.country}`;
  return giftCardItem({
    ...value,
    planId,
    title: `${listing.title}${where} ${currency} ${worth}`.slice(0, 200),
    brand: listing.brand ?? listing.title,
    region: listing.country,
    uiCategory: listing.category ?? 'Other',
    currency,
    featured: false,
    fulfillment: 'immediate',
    testOnly: false,
    providerCodes: { [provider]: listing.planCodes },
    active: true,
  });
}

function newEsim(listing: ProviderListing, currency: GoodsCurrency, provider: string): CatalogItem[] {
  const { price, dataMb, durationDays, planCodes, country } = listing;
  const planId = planCodes.slug ?? Object.values(planCodes)[0];
  if (price === undefined || dataMb === undefined || durationDays === undefined) return [];
  if (planId === undefined || !/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/.test(planId)) return [];
  const region = listing.category ?? country ?? 'Several countries';
  const base = { planId, title: listing.title, country, region, dataMb, durationDays, currency, price };
  return [esimItem({ ...base, testOnly: false, providerCodes: { [provider]: planCodes }, active: true })];
}
