/**
 * Compares our plans with a provider's list: prices that changed, plans that the provider no longer
 * sells, and plans that only the provider has. Pure. Guarantees that no plan comes back on sale by
 * itself: whoever took it off sale had a reason.
 */
import { type OrderProduct, orderProducts } from '../products/product.ts';
import { recordOf } from '../products/registry.ts';
import type { ProviderListing, ProviderPlan } from '../providers/provider.ts';
import { type CatalogItem, withdrawn } from './catalog-item.ts';
import type { GiftCardPlan } from './gift-card-plan.ts';
import { cardValueOf, isSame } from './match-listing.ts';
import { findNewItems } from './new-items.ts';
import { billItem } from './records/bill-plan-record.ts';
import { dataItem } from './records/data-plan-record.ts';
import { esimItem } from './records/esim-record.ts';
import { giftCardItem } from './records/gift-card-record.ts';

export type ProviderOffer = {
  readonly provider: string;
  /** By the provider's service id. */
  readonly plans: ReadonlyMap<string, readonly ProviderPlan[]>;
  /** By product; of those that could be read. */
  readonly listings: ReadonlyMap<OrderProduct, readonly ProviderListing[]>;
};

export type Comparison = { readonly incoming: readonly CatalogItem[]; readonly notes: readonly string[] };

/**
 * `add` also brings the gift cards and eSIMs that the catalog does not have. Codes of
 * `testProviders` do not keep a plan on sale: those providers serve test credentials alone.
 */
export function compareWithProvider(
  present: readonly CatalogItem[],
  offer: ProviderOffer,
  { add, testProviders }: { readonly add: boolean; readonly testProviders: ReadonlySet<string> },
): Comparison {
  const notes: string[] = [];
  const incoming = present.flatMap((item) => {
    if (item.kind === 'biller' || !item.item.active) return [];
    const codes = item.item.providerCodes[offer.provider];
    if (codes === undefined) return [];
    const next = bring(item, codes, offer);
    if (next === 'unreadable') {
      notes.push(
        `${item.record.product} ${item.key} is listed by ${offer.provider} with a price that cannot be read; it stays as it was.`,
      );
      return [];
    }
    if (next !== 'gone') return next === undefined ? [] : [next];
    const others = Object.keys(item.item.providerCodes).filter(
      (name) => name !== offer.provider && !testProviders.has(name),
    );
    if (others.length === 0) return [withdrawn(item)];
    notes.push(
      `${item.record.product} ${item.key} is not listed by ${offer.provider}; ${others.join(', ')} may still serve it.`,
    );
    return [];
  });
  const fresh = [...offer.listings].flatMap(([product, listings]) =>
    findNewItems(product, listings, present, offer.provider),
  );
  if (add) return { incoming: [...incoming, ...fresh], notes };
  if (fresh.length > 0) {
    notes.push(`${offer.provider} lists ${fresh.length} that the catalog does not have (--add adds them).`);
  }
  return { incoming, notes };
}

/**
 * The item as the provider sells it now. Undefined where the list says nothing of it, `gone` where
 * the provider does not sell it any more, `unreadable` where what the list says cannot be read.
 */
function bring(
  item: CatalogItem<'bill' | 'data' | 'giftcard' | 'esim'>,
  codes: Readonly<Record<string, string>>,
  offer: ProviderOffer,
): CatalogItem | 'gone' | 'unreadable' | undefined {
  if (item.kind === 'data' || item.kind === 'bill') {
    const plans = offer.plans.get(codes.service_id ?? '');
    // A plan of any amount, or a renewal, has no variation that is listed.
    if (plans === undefined || codes.variation_code === undefined || item.item.price === undefined)
      return undefined;
    const listed = plans.find(({ code }) => code === codes.variation_code);
    if (listed === undefined) return 'gone';
    if (listed.price === undefined) return 'unreadable';
    if (item.kind === 'data') return dataItem({ ...item.item, price: listed.price });
    return item.item.amountType === 'fixed' ? billItem({ ...item.item, price: listed.price }) : undefined;
  }
  const product = orderProducts.find((name) => recordOf(name).plans === item.kind);
  const listings = product && offer.listings.get(product);
  if (listings === undefined) return undefined;
  const same = listings.filter(
    (listing) => listing.currency === item.item.currency && isSame(listing.planCodes, codes),
  );
  const listed = same.filter(({ isUnreadable }) => isUnreadable !== true);
  const gone = same.length > listed.length ? 'unreadable' : 'gone';
  if (item.kind === 'esim') {
    const [one] = listed;
    if (one?.price === undefined) return gone;
    return esimItem({
      ...item.item,
      price: one.price,
      dataMb: one.dataMb ?? item.item.dataMb,
      durationDays: one.durationDays ?? item.item.durationDays,
      providerCodes: { ...item.item.providerCodes, [offer.provider]: { ...codes, ...one.planCodes } },
    });
  }
  if (item.item.faceValue !== undefined) {
    const { faceValue } = item.item;
    const sold = listed.some(
      ({ price, minPrice, maxPrice }) =>
        price === faceValue ||
        (minPrice !== undefined && maxPrice !== undefined && minPrice <= faceValue && faceValue <= maxPrice),
    );
    return sold ? item : gone;
  }
  const value = listed.map(cardValueOf).find((one) => one?.faceValue === undefined && one !== undefined);
  return value === undefined ? gone : giftCardItem({ ...item.item, ...value } as GiftCardPlan);
}
