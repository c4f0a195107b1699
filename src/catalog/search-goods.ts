/**
 * Finds gift cards and eSIMs by a merchant's filters. Repeated searches return the same object, so
 * its JSON is written once.
 */
import { LRUCache } from 'lru-cache';
import type { EsimPlan } from './esim-plan.ts';
import type { GoodsCurrency } from './fx-rate.ts';
import type { GiftCardPlan } from './gift-card-plan.ts';
import type { Listed } from './goods-index.ts';

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

/** Filters in catalog order. Returns the list itself without a filter. */
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

/** Filters in catalog order. Returns the list itself without a filter. */
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

/**
 * The number of cached searches of a list. With thousands of plans, an answer is at most a
 * megabyte.
 */
const REMEMBERED_MAX = 32;
const found = new WeakMap<object, LRUCache<string, object>>();

/** Returns the cached result of a search, or searches and caches the result. */
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
