/** The stored catalog as items with their records. */
import type { PlanProduct } from '../core/products/product.ts';
import { recordOf } from '../core/products/registry.ts';
import type { Sql } from '../db/database.ts';
import type { CatalogItem, CatalogKind, CatalogThings } from './catalog-item.ts';
import { listThings } from './catalog-store.ts';
import { billItem } from './records/bill-plan-record.ts';
import { billerItem } from './records/biller-record.ts';
import { dataItem } from './records/data-plan-record.ts';
import { esimItem } from './records/esim-record.ts';
import { giftCardItem } from './records/gift-card-record.ts';

type Makers = { readonly [Kind in CatalogKind]: (thing: CatalogThings[Kind]) => CatalogItem };

const makers: Makers = {
  biller: billerItem,
  bill: billItem,
  data: dataItem,
  giftcard: giftCardItem,
  esim: esimItem,
};

/** Lists the plans or the billers of a product, withdrawn ones too, in catalog order. */
export async function listCatalogItems(
  sql: Sql,
  product: PlanProduct,
  what: 'plans' | 'billers' = 'plans',
): Promise<CatalogItem[]> {
  const items = await listKind(sql, what === 'billers' ? 'biller' : recordOf(product).plans);
  return items.filter(({ record }) => record.product === product);
}

/** Reads the whole catalog, by kind. */
export async function readWholeCatalog(sql: Sql): Promise<CatalogItem[]> {
  const kinds = Object.keys(makers) as CatalogKind[];
  const items: CatalogItem[] = [];
  for (const kind of kinds) items.push(...(await listKind(sql, kind)));
  return items;
}

async function listKind<Kind extends CatalogKind>(sql: Sql, kind: Kind): Promise<CatalogItem[]> {
  return (await listThings(sql, kind)).map(makers[kind]);
}
