/**
 * The catalog of a gateway process. It is in memory, so pricing an order takes no query. A change
 * is visible after a reload. A failed reload leaves the catalog unchanged.
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
import { type Biller, findBiller, findBillNetwork, indexBillers } from './biller-index.ts';
import { listThings } from './catalog-store.ts';
import { type DataPlan, type DataPlanMatch, findDataPlan, indexDataPlans } from './data-plan-index.ts';
import type { EsimPlan } from './esim-plan.ts';
import type { FxRate, GoodsCurrency } from './fx-rate.ts';
import { listFxRates } from './fx-rate-store.ts';
import { type GiftCardPlan, isOnSale } from './gift-card-plan.ts';
import { findEsim, indexGoods, type Listed } from './goods-index.ts';
import { type EsimFilter, type GiftCardFilter, searchEsims, searchGiftCards } from './search-goods.ts';

export type Catalog = {
  /** Finds the data plan of an order by its code, network and amount. */
  findDataPlan(network: MobileNetwork, code: string, amount?: bigint): DataPlanMatch;
  /** Lists the data plans of `network` on sale, in catalog order. */
  listDataPlans(network: MobileNetwork): readonly DataPlan[];
  /** Finds an active biller by its network or an alias, in any letter case. */
  findBiller(product: BillProduct, text: string): Biller | undefined;
  /** Finds the network of a biller by the same names, also of a withdrawn one. */
  findBillNetwork(text: string): string | undefined;
  /** Lists the billers of `product`, in catalog order. */
  listBillers(product: BillProduct): readonly Biller[];
  /** Finds the bill plan of an order by its code and canonical network. */
  findBillPlan(product: BillProduct, network: string, code: string): BillPlanMatch;
  /** Finds a bill plan by its old `serviceId`, or any other code, and canonical network. */
  findBillPlanByService(product: BillProduct, network: string, serviceId: string): BillPlanMatch;
  /** Lists the bill plans on sale of one network or of all, in catalog order. */
  listBillPlans(product: BillProduct, network?: string): readonly BillPlan[];
  /** Finds a gift card plan by its catalog id, if it is on sale in `environment`. */
  findGiftCardPlan(planId: number, environment: Environment): GiftCardPlan | undefined;
  /** Lists the gift cards on sale in `environment` that match `filter`, in catalog order. */
  searchGiftCards(environment: Environment, filter: GiftCardFilter): readonly Listed<GiftCardPlan>[];
  /** Finds an eSIM plan by its id, in any letter case, if it is on sale in `environment`. */
  findEsimPlan(planId: string, environment: Environment): EsimPlan | undefined;
  /** Lists the eSIMs on sale in `environment` that match `filter`, in catalog order. */
  searchEsims(environment: Environment, filter: EsimFilter): readonly Listed<EsimPlan>[];
  /** Returns the current exchange rate. Without one, nothing in that currency can be sold. */
  fxRate(currency: GoodsCurrency): FxRate | undefined;
  /** Reads the catalog again. Rejects without any change if it cannot be read or is ambiguous. */
  reload(): Promise<void>;
};

/** Reads the catalog. Rejects when it cannot be read or a code or name in it is ambiguous. */
export async function loadCatalog(sql: Sql): Promise<Catalog> {
  let held = await read(sql);
  return {
    findDataPlan: (network, code, amount) => findDataPlan(held.dataPlans, network, code, amount),
    listDataPlans: (network) => held.dataPlans.listed.get(network) ?? [],
    findBiller: (product, text) => findBiller(held.billers, product, text),
    findBillNetwork: (text) => findBillNetwork(held.billers, text),
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

/** Reads all kinds. A change between the queries is announced later and causes another reload. */
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
