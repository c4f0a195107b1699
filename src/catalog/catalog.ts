/**
 * The catalog as a gateway process holds it: in memory, so that pricing an order costs no query. It
 * is as old as its last reload. A reload that fails leaves it unchanged.
 */

import type { Environment } from '../core/environment.ts';
import type { MobileNetwork } from '../core/products/network.ts';
import type { BillProduct } from '../core/products/product.ts';
import { singleFlight } from '../core/single-flight.ts';
import type { Sql } from '../db/database.ts';
import type { BillPlan } from './bill-plan.ts';
import {
  type BillPlanMatch,
  findBillPlan,
  findBillPlanByService,
  indexBillPlans,
  networkKey,
} from './bill-plan-index.ts';
import { type Biller, findBiller, indexBillers } from './biller-index.ts';
import { listThings } from './catalog-store.ts';
import { type DataPlan, type DataPlanMatch, findDataPlan, indexDataPlans } from './data-plan-index.ts';
import type { EsimPlan } from './esim-plan.ts';
import type { FxRate, GoodsCurrency } from './fx-rate.ts';
import { listFxRates } from './fx-rate-store.ts';
import { type GiftCardPlan, isOnSale } from './gift-card-plan.ts';
import { findEsim, indexGoods, type Listed } from './goods-index.ts';
import { type EsimFilter, type GiftCardFilter, searchEsims, searchGiftCards } from './search-goods.ts';

export type Catalog = {
  /** The data plan that an order of `amount` means by `code` on `network`. */
  findDataPlan(network: MobileNetwork, code: string, amount?: bigint): DataPlanMatch;
  /** The data plans of `network` on sale, in catalog order. */
  listDataPlans(network: MobileNetwork): readonly DataPlan[];
  /**
   * The biller that `text` names, by its network or an alias, in any letter case; of any product
   * where none is given.
   */
  findBiller(product: BillProduct | undefined, text: string): Biller | undefined;
  /** The billers of `product`, in catalog order. */
  listBillers(product: BillProduct): readonly Biller[];
  /** The bill plan that an order's `code` stands for; `network` in its canonical spelling. */
  findBillPlan(product: BillProduct, network: string, code: string): BillPlanMatch;
  /** The bill plan with the old `serviceId`; `network` in its canonical spelling. */
  findBillPlanByService(product: BillProduct, network: string, serviceId: string): BillPlanMatch;
  /** The bill plans on sale, of one network or all of the product's, in catalog order. */
  listBillPlans(product: BillProduct, network?: string): readonly BillPlan[];
  /** The gift card plan with that catalog id, if it is on sale to credentials of `environment`. */
  findGiftCardPlan(planId: number, environment: Environment): GiftCardPlan | undefined;
  /** The gift cards on sale in `environment` that pass `filter`, in catalog order. */
  searchGiftCards(environment: Environment, filter: GiftCardFilter): readonly Listed<GiftCardPlan>[];
  /** The eSIM plan with that id, in any letter case, if it is on sale in `environment`. */
  findEsimPlan(planId: string, environment: Environment): EsimPlan | undefined;
  /** The eSIMs on sale in `environment` that pass `filter`, in catalog order. */
  searchEsims(environment: Environment, filter: EsimFilter): readonly Listed<EsimPlan>[];
  /**
   * The present exchange rate. Undefined where none is set: what is priced in that currency cannot
   * be sold then.
   */
  fxRate(currency: GoodsCurrency): FxRate | undefined;
  /**
   * Reads the catalog again. Rejects, and stays as it was, when the catalog cannot be read or is
   * ambiguous.
   */
  reload(): Promise<void>;
};

/** Reads the catalog once. Rejects when it cannot be read or a code or name in it is ambiguous. */
export async function loadCatalog(sql: Sql): Promise<Catalog> {
  let held = await read(sql);
  return {
    findDataPlan: (network, code, amount) => findDataPlan(held.dataPlans, network, code, amount),
    listDataPlans: (network) => held.dataPlans.listed.get(network) ?? [],
    findBiller: (product, text) => findBiller(held.billers, product, text),
    listBillers: (product) => held.billers.listed.get(product) ?? [],
    findBillPlan: (product, network, code) => findBillPlan(held.billPlans, product, network, code),
    findBillPlanByService: (product, network, serviceId) =>
      findBillPlanByService(held.billPlans, product, network, serviceId),
    listBillPlans: (product, network) =>
      (held.billers.listed.get(product) ?? [])
        .filter((biller) => network === undefined || biller.network === network)
        .flatMap((biller) => held.billPlans.listed.get(networkKey(product, biller.network)) ?? []),
    findGiftCardPlan(planId, environment) {
      const plan = held.goods.giftCardById.get(planId);
      return plan !== undefined && isOnSale(plan, environment) ? plan : undefined;
    },
    searchGiftCards: (environment, filter) => searchGiftCards(held.goods.giftCards[environment], filter),
    findEsimPlan(planId, environment) {
      const plan = findEsim(held.goods, planId);
      return plan !== undefined && isOnSale(plan, environment) ? plan : undefined;
    },
    searchEsims: (environment, filter) => searchEsims(held.goods.esims[environment], filter),
    fxRate: (currency) => held.goods.rates.get(currency),
    reload: singleFlight(async () => {
      held = await read(sql);
    }),
  };
}

/** A change between the queries is notified after them, and then all is read again. */
async function read(sql: Sql) {
  return {
    dataPlans: indexDataPlans(await listThings(sql, 'data')),
    billers: indexBillers(await listThings(sql, 'biller')),
    billPlans: indexBillPlans(await listThings(sql, 'bill')),
    goods: indexGoods(
      await listThings(sql, 'giftcard'),
      await listThings(sql, 'esim'),
      await listFxRates(sql),
    ),
  };
}
