/** The catalog as it is stored, as items with their records. */

import { assertNever } from '../core/errors.ts';
import type { PlanProduct } from '../core/products/product.ts';
import { recordOf } from '../core/products/registry.ts';
import type { Sql } from '../db/database.ts';
import { listBillPlans } from './bill-plan-store.ts';
import { listBillers } from './biller-store.ts';
import type { CatalogItem } from './catalog-item.ts';
import { listDataPlans } from './data-plan-store.ts';
import { listEsimPlans } from './esim-plan-store.ts';
import { listGiftCardPlans } from './gift-card-plan-store.ts';
import { billItem } from './records/bill-plan-record.ts';
import { billerItem } from './records/biller-record.ts';
import { dataItem } from './records/data-plan-record.ts';
import { esimItem } from './records/esim-record.ts';
import { giftCardItem } from './records/gift-card-record.ts';

/**
 * Everything of a product, withdrawn things too, in catalog order; billers apart, where asked for.
 */
export async function listCatalogItems(
  sql: Sql,
  product: PlanProduct,
  what: 'plans' | 'billers' = 'plans',
): Promise<CatalogItem[]> {
  if (what === 'billers') {
    return (await listBillers(sql)).filter((biller) => biller.product === product).map(billerItem);
  }
  const { plans } = recordOf(product);
  switch (plans) {
    case 'bill':
      return (await listBillPlans(sql)).filter((plan) => plan.product === product).map(billItem);
    case 'data':
      return (await listDataPlans(sql)).map(dataItem);
    case 'giftcard':
      return (await listGiftCardPlans(sql)).map(giftCardItem);
    case 'esim':
      return (await listEsimPlans(sql)).map(esimItem);
    default:
      return assertNever(plans);
  }
}

/** The whole catalog, by kind and key. */
export async function readWholeCatalog(sql: Sql): Promise<CatalogItem[]> {
  return [
    ...(await listBillers(sql)).map(billerItem),
    ...(await listBillPlans(sql)).map(billItem),
    ...(await listDataPlans(sql)).map(dataItem),
    ...(await listGiftCardPlans(sql)).map(giftCardItem),
    ...(await listEsimPlans(sql)).map(esimItem),
  ];
}
