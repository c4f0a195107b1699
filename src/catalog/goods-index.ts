// The gift cards and eSIMs on sale, arranged for search: an entry a plan with its price and a lower-case text of all that
// is searched, made when the catalog is read and not when it is asked. Guarantees that test plans are in the lists of
// test credentials alone.
import { LRUCache } from 'lru-cache';
import { type Environment, environments } from '../kernel/environment.ts';
import { type EsimPlan, priceEsim } from './esim-plan.ts';
import type { FxRate, GoodsCurrency } from './fx-rate.ts';
import { cardValueLimits, type GiftCardPlan, isOnSale, priceGiftCard } from './gift-card-plan.ts';

/** A plan as it is listed. One object as long as neither the catalog nor the rates are read again. */
export type Listed<Plan> = {
  readonly plan: Plan;
  /** In kobo; of a variable card, of its lowest face value. Undefined without a rate of its currency. */
  readonly ngnPrice: bigint | undefined;
  /** Lower case. */
  readonly searchText: string;
};

export type GiftCardFilter = {
  /** Part of a title or category, in any letter case. */
  readonly search?: string;
  /** A whole brand or category, in any letter case. */
  readonly brand?: string;
  readonly category?: string;
  readonly currency?: GoodsCurrency;
  /** True: featured plans only. */
  readonly featured?: boolean;
};

export type EsimFilter = {
  /** Part of a title, country, region or plan id, in any letter case. */
  readonly search?: string;
  /** ISO 3166-1 alpha-2, in any letter case. */
  readonly country?: string;
  /** Part of a region, in any letter case. */
  readonly region?: string;
};

export type GoodsIndex = {
  readonly giftCards: Readonly<Record<Environment, readonly Listed<GiftCardPlan>[]>>;
  readonly esims: Readonly<Record<Environment, readonly Listed<EsimPlan>[]>>;
  readonly giftCardById: ReadonlyMap<number, GiftCardPlan>;
  readonly esimById: ReadonlyMap<string, EsimPlan>;
  readonly rates: ReadonlyMap<GoodsCurrency, FxRate>;
};

export function indexGoods(
  giftCards: readonly GiftCardPlan[],
  esims: readonly EsimPlan[],
  rateList: readonly FxRate[],
): GoodsIndex {
  const rates = new Map(rateList.map((rate) => [rate.currency, rate]));
  const listedCards = giftCards.map((plan): Listed<GiftCardPlan> => {
    const rate = rates.get(plan.currency);
    const price = rate && priceGiftCard(plan, cardValueLimits(plan).min, rate);
    return { plan, ngnPrice: price?.ngnPrice, searchText: searchText(plan.title, plan.uiCategory) };
  });
  const listedEsims = esims.map((plan): Listed<EsimPlan> => {
    const rate = rates.get(plan.currency);
    return {
      plan,
      ngnPrice: rate && priceEsim(plan, rate).ngnPrice,
      searchText: searchText(plan.title, plan.country ?? '', plan.region, plan.planId),
    };
  });
  return {
    giftCards: byEnvironment(listedCards),
    esims: byEnvironment(listedEsims),
    giftCardById: new Map(giftCards.map((plan) => [plan.planId, plan])),
    esimById: new Map(esims.map((plan) => [plan.planId, plan])),
    rates,
  };
}

/** In catalog order; the list itself where nothing is filtered. */
export function searchGiftCards(
  listed: readonly Listed<GiftCardPlan>[],
  filter: GiftCardFilter,
): readonly Listed<GiftCardPlan>[] {
  if (Object.keys(filter).length === 0) return listed;
  return remember(listed, filter, () => findGiftCards(listed, filter));
}

function findGiftCards(
  listed: readonly Listed<GiftCardPlan>[],
  filter: GiftCardFilter,
): readonly Listed<GiftCardPlan>[] {
  const search = filter.search?.toLowerCase();
  const brand = filter.brand?.toLowerCase();
  const category = filter.category?.toLowerCase();
  return listed.filter(
    ({ plan, searchText }) =>
      (search === undefined || searchText.includes(search)) &&
      (filter.currency === undefined || plan.currency === filter.currency) &&
      (filter.featured !== true || plan.featured) &&
      (brand === undefined || plan.brand.toLowerCase() === brand) &&
      (category === undefined || plan.uiCategory.toLowerCase() === category),
  );
}

/** In catalog order; the list itself where nothing is filtered. */
export function searchEsims(
  listed: readonly Listed<EsimPlan>[],
  filter: EsimFilter,
): readonly Listed<EsimPlan>[] {
  if (Object.keys(filter).length === 0) return listed;
  return remember(listed, filter, () => findEsims(listed, filter));
}

function findEsims(listed: readonly Listed<EsimPlan>[], filter: EsimFilter): readonly Listed<EsimPlan>[] {
  const search = filter.search?.toLowerCase();
  const country = filter.country?.toUpperCase();
  const region = filter.region?.toLowerCase();
  return listed.filter(
    ({ plan, searchText }) =>
      (search === undefined || searchText.includes(search)) &&
      (country === undefined || plan.country === country) &&
      (region === undefined || plan.region.toLowerCase().includes(region)),
  );
}

/** Searches of a list that are remembered: each keeps its answer, a megabyte at most with thousands of plans. */
const REMEMBERED_MAX = 32;
const found = new WeakMap<object, LRUCache<string, object>>();

/** What the same search of the same list found before; the same list, so that its text need not be written again. */
function remember<Result extends object>(listed: object, filter: object, find: () => Result): Result {
  const key = JSON.stringify(filter);
  const known = found.get(listed) ?? new LRUCache<string, object>({ max: REMEMBERED_MAX });
  found.set(listed, known);
  const before = known.get(key);
  if (before !== undefined) return before as Result;
  const result = find();
  known.set(key, result);
  return result;
}

/** A line a field: no search runs over the end of one into the next, for what is searched has no line breaks. */
function searchText(...fields: readonly string[]): string {
  return fields.join('\n').toLowerCase();
}

function byEnvironment<Plan extends { readonly active: boolean; readonly testOnly: boolean }>(
  listed: readonly Listed<Plan>[],
): Record<Environment, readonly Listed<Plan>[]> {
  const lists = environments.map((environment) => [
    environment,
    listed.filter(({ plan }) => isOnSale(plan, environment)),
  ]);
  return Object.fromEntries(lists);
}
