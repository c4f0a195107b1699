/**
 * Compares our plans with a provider's list: changed prices, plans that the provider no longer
 * sells, and plans that only the provider has. Pure. Guarantees that a withdrawn plan stays
 * withdrawn.
 */
import { formatAmount } from '../core/money.ts';
import type { MobileNetwork } from '../core/products/network.ts';
import { formatPlanDays, formatPlanSize, readPlanDays, readPlanSize } from '../core/products/plan-words.ts';
import { type OrderProduct, orderProducts } from '../core/products/product.ts';
import { recordOf } from '../core/products/registry.ts';
import type { PlanListCodes } from '../providers/plan-list-codes.ts';
import type { ProviderListing, ProviderPlan } from '../providers/provider.ts';
import { type CatalogItem, pickKind, thingsOf, withdrawn } from './catalog-item.ts';
import type { DataPlan } from './data-plan-index.ts';
import { findNewPlans } from './find-new-plans.ts';
import { type GoodsCurrency, isGoodsCurrency } from './fx-rate.ts';
import type { CardValue, GiftCardPlan } from './gift-card-plan.ts';
import type { KnownCost } from './margins/expected-cost.ts';
import { findPriceRule, type PriceRule, priceByRule } from './margins/price-rule.ts';
import { billItem } from './records/bill-plan-record.ts';
import { dataItem } from './records/data-plan-record.ts';
import { esimItem } from './records/esim-record.ts';
import { giftCardItem } from './records/gift-card-record.ts';
import type { NameAccount } from './shown-codes.ts';

/** The first id of new cards: above the demo catalog's cards and below its test plans. */
const FIRST_CARD_ID = 400_001;

/** Builds items for the listings that the catalog lacks. */
function findNewItems(
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

/** Tells whether two sets of codes name the same thing. Ignores a price among the codes. */
function isSame(
  listed: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>> | undefined,
): boolean {
  if (own === undefined) return false;
  const shared = Object.keys(listed).filter((code) => code !== 'price' && own[code] !== undefined);
  return shared.length > 0 && shared.every((code) => listed[code] === own[code]);
}

/** Returns the value of a listed card. Undefined if the listing has none. */
function cardValueOf({ price, minPrice, maxPrice }: ProviderListing): CardValue | undefined {
  if (price !== undefined) return { faceValue: price, minPrice: undefined, maxPrice: undefined };
  if (minPrice === undefined || maxPrice === undefined || minPrice <= 0n || maxPrice < minPrice)
    return undefined;
  return { faceValue: undefined, minPrice, maxPrice };
}

export type ProviderOffer = {
  readonly provider: string;
  readonly listCodes: PlanListCodes;
  /** The plans by the provider's service id. */
  readonly plans: ReadonlyMap<string, readonly ProviderPlan[]>;
  /** The lists of data plans that the provider is known to have, and the network of each. */
  readonly dataLists?: ReadonlyMap<string, MobileNetwork> | undefined;
  /** The readable listings by product. */
  readonly listings: ReadonlyMap<OrderProduct, readonly ProviderListing[]>;
};

export type Comparison = {
  readonly incoming: readonly CatalogItem[];
  readonly notes: readonly string[];
  /** The provider's charges for plans of the catalog, as far as its list states them. */
  readonly costs: readonly ListedCost[];
  /** The plan codes of incoming new plans whose price a rule sets. */
  readonly ruled: ReadonlySet<string>;
};

/** In kobo. `price` is what merchants pay without a discount. */
export type ListedCost = {
  readonly product: string;
  readonly network: string;
  readonly planCode: string;
  readonly price: bigint;
  readonly cost: bigint;
};

/**
 * Compares the catalog with an offer. `add` adds data plans, gift cards and eSIMs that the catalog
 * lacks. Codes of `testProviders` do not keep a plan on sale, because they serve test credentials
 * only.
 */
export function compareWithProvider(
  present: readonly CatalogItem[],
  offer: ProviderOffer,
  {
    add,
    testProviders,
    rules = [],
    knownCosts = [],
    nameOf = (provider) => provider,
  }: {
    readonly add: boolean;
    readonly testProviders: ReadonlySet<string>;
    /** Price a plan by its listed cost. */
    readonly rules?: readonly PriceRule[];
    readonly knownCosts?: readonly KnownCost[];
    /** For the notes. */
    readonly nameOf?: NameAccount | undefined;
  },
): Comparison {
  const shownName = nameOf(offer.provider);
  const notes: string[] = [];
  const costs: ListedCost[] = [];
  const incoming = present.flatMap((item) => {
    if (item.kind === 'biller' || !item.item.active) return [];
    const codes = item.item.providerCodes[offer.provider];
    if (codes === undefined) return [];
    const next = offeredItem(item, codes, offer, { rules, knownCosts, provider: offer.provider });
    if (next === 'unreadable' || next === 'unnamed') {
      const why =
        next === 'unreadable'
          ? `is listed by ${shownName} with a price that cannot be read`
          : `is not listed by ${shownName}, but its list has a row whose code cannot be read`;
      notes.push(`${item.record.product} ${item.key} ${why}; it is unchanged.`);
      return [];
    }
    if (next !== 'gone') {
      const cost = next?.kind === 'data' ? listedPlan(codes, offer)?.cost : undefined;
      if (next?.kind === 'data' && cost !== undefined) {
        const { network, planCode, price } = next.item;
        costs.push({ product: String(next.record.product), network, planCode, price, cost });
      }
      return next === undefined ? [] : [next];
    }
    const others = Object.keys(item.item.providerCodes).filter(
      (name) => name !== offer.provider && !testProviders.has(name),
    );
    if (others.length === 0) return [withdrawn(item)];
    notes.push(
      `${item.record.product} ${item.key} is not listed by ${shownName}; ${others.map(nameOf).join(', ')} may still serve it.`,
    );
    return [];
  });
  const plans = findNewPlans(present, offer, rules);
  const fresh = [...offer.listings].flatMap(([product, listings]) =>
    findNewItems(product, listings, present, offer.provider),
  );
  fresh.push(...plans.items);
  if (plans.incomplete > 0) {
    notes.push(
      `${shownName} lists ${plans.incomplete} data plans without a price, a size or a validity. Import those from a file.`,
    );
  }
  if (add) {
    costs.push(...plans.costs);
    return { incoming: [...incoming, ...fresh], notes, costs, ruled: plans.ruled };
  }
  if (fresh.length > 0) {
    notes.push(`${shownName} lists ${fresh.length} items that the catalog lacks (--add adds them).`);
  }
  return { incoming, notes, costs, ruled: new Set() };
}

function listedPlan(codes: Readonly<Record<string, string>>, offer: ProviderOffer): ProviderPlan | undefined {
  const { list = '', plan } = offer.listCodes(codes);
  return offer.plans.get(list)?.find(({ code }) => code === plan);
}

/**
 * Returns the plan with the listed kind, size and validity, priced by its rule if it has one: from
 * the highest cost of its providers, because any of them may serve it.
 */
function offeredPlan(
  { item: plan, record }: CatalogItem<'data'>,
  { kind = plan.planKind, price, cost, sizeMb, days }: ProviderPlan & { readonly price: bigint },
  { rules, knownCosts, provider }: Pricing,
): DataPlan {
  const { network, size, validity } = plan;
  const others = knownCosts.filter(
    (known) =>
      known.provider !== provider &&
      known.product === record.product &&
      known.planCode === plan.planCode &&
      plan.providerCodes[known.provider] !== undefined,
  );
  const rule =
    cost === undefined ? undefined : findPriceRule(rules, { product: String(record.product), network, kind });
  return {
    ...plan,
    planKind: kind,
    price: rule === undefined || cost === undefined ? price : priceByRule(highest(cost, others), rule),
    size: sizeMb === undefined || sizeMb === readPlanSize(size) ? size : formatPlanSize(sizeMb),
    validity: days === undefined || days === readPlanDays(validity) ? validity : formatPlanDays(days),
  };
}

type Pricing = {
  readonly rules: readonly PriceRule[];
  /** Of all providers, for live credentials. */
  readonly knownCosts: readonly KnownCost[];
  /** The provider whose list it is. */
  readonly provider: string;
};

function highest(cost: bigint, others: readonly KnownCost[]): bigint {
  let most = cost;
  for (const known of others) if (known.cost > most) most = known.cost;
  return most;
}

/**
 * Returns the item as the provider now sells it. Undefined when the list does not cover it, `gone`
 * when the provider no longer sells it, `unreadable` when the list has unreadable values for it,
 * `unnamed` when a row without a readable code may be it.
 */
function offeredItem(
  item: CatalogItem<'bill' | 'data' | 'giftcard' | 'esim'>,
  codes: Readonly<Record<string, string>>,
  offer: ProviderOffer,
  pricing: Pricing,
): CatalogItem | 'gone' | 'unreadable' | 'unnamed' | undefined {
  if (item.kind === 'data' || item.kind === 'bill') {
    const { list = '', plan } = offer.listCodes(codes);
    const plans = offer.plans.get(list);
    // Lists have no variation for a plan of any amount or for a renewal.
    if (plans === undefined || plan === undefined || item.item.price === undefined) return undefined;
    const listed = listedPlan(codes, offer);
    if (listed === undefined) return plans.some(({ code }) => code === undefined) ? 'unnamed' : 'gone';
    // A price of 0 is the customer's choice.
    if (listed.price === undefined || listed.price === 0n) return 'unreadable';
    if (item.kind === 'data') return dataItem(offeredPlan(item, { ...listed, price: listed.price }, pricing));
    return item.item.amountType === 'fixed' ? billItem({ ...item.item, price: listed.price }) : undefined;
  }
  const product = orderProducts.find((name) => recordOf(name).plans === item.kind);
  const listings = product && offer.listings.get(product);
  if (listings === undefined) return undefined;
  const same = listings.filter(
    (listing) => listing.currency === item.item.currency && isSame(listing.planCodes, codes),
  );
  const listed = same.filter(({ isUnreadable }) => isUnreadable !== true);
  const isUnnamed = listings.some(
    ({ currency, planCodes }) => currency === item.item.currency && Object.keys(planCodes).length === 0,
  );
  const gone = same.length > listed.length ? 'unreadable' : isUnnamed ? 'unnamed' : 'gone';
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
