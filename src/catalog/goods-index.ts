/**
 * An index of the gift cards and eSIMs on sale, for search. Each plan has an entry with its price
 * and its searched text in lower case, made when the catalog is read. Guarantees that only the
 * lists of test credentials have test plans.
 */
import { type Environment, environments } from '../core/environment.ts';
import { type EsimPlan, priceEsim } from './esim-plan.ts';
import type { FxRate, GoodsCurrency } from './fx-rate.ts';
import { cardValueLimits, type GiftCardPlan, isOnSale, priceGiftCard } from './gift-card-plan.ts';

/** A listed plan. It is the same object until the catalog or the rates are read again. */
export type Listed<Plan> = {
  readonly plan: Plan;
  /** In kobo, for the lowest face value of a card. Undefined without an exchange rate. */
  readonly ngnPrice: bigint | undefined;
  /** Lower case. */
  readonly searchText: string;
};

export type GoodsIndex = {
  readonly giftCards: Readonly<Record<Environment, readonly Listed<GiftCardPlan>[]>>;
  readonly esims: Readonly<Record<Environment, readonly Listed<EsimPlan>[]>>;
  readonly giftCardById: ReadonlyMap<number, GiftCardPlan>;
  readonly esimById: ReadonlyMap<string, EsimPlan>;
  /** By the id in lower case; undefined when several ids differ by letter case only. */
  readonly esimByFoldedId: ReadonlyMap<string, EsimPlan | undefined>;
  readonly rates: ReadonlyMap<GoodsCurrency, FxRate>;
};

function foldIds(esims: readonly EsimPlan[]): ReadonlyMap<string, EsimPlan | undefined> {
  const folded = new Map<string, EsimPlan | undefined>();
  for (const plan of esims) {
    const id = plan.planId.toLowerCase();
    folded.set(id, folded.has(id) ? undefined : plan);
  }
  return folded;
}

/** Finds an eSIM by its exact id, or else in any letter case. */
export function findEsim(
  { esimById, esimByFoldedId }: Pick<GoodsIndex, 'esimById' | 'esimByFoldedId'>,
  planId: string,
): EsimPlan | undefined {
  return esimById.get(planId) ?? esimByFoldedId.get(planId.toLowerCase());
}

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
    esimByFoldedId: foldIds(esims),
    rates,
  };
}

/** Joins fields by line breaks, so that a search cannot match across two fields. */
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
