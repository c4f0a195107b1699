/**
 * The billers' rows. A biller is never deleted, only withdrawn, since purchases name its network
 * for ever.
 */

import { isBillProduct } from '../core/products/product.ts';
import type { Sql, Tx } from '../db/database.ts';
import type { Biller } from './biller-index.ts';
import { upsertRows } from './upsert-store.ts';

type BillerRow = Omit<Biller, 'product'> & { readonly product: string };

/** Every biller, withdrawn ones too, in catalog order. */
export async function listBillers(sql: Sql): Promise<Biller[]> {
  const rows = await sql.query<BillerRow>(
    `select
       product,
       network,
       name,
       aliases,
       active
     from billers
     order by position, product, network`,
  );
  return rows.map(toBiller);
}

/**
 * Makes `billers`, in their order, the billers of the catalog: those known by product and network
 * are overwritten, new ones added, and billers that are not among them withdrawn. Running it again
 * changes nothing.
 */
export async function replaceBillers(tx: Tx, billers: readonly Biller[]): Promise<void> {
  const rows = billers.map(({ product, network, name, aliases, active }, position) => ({
    product,
    network,
    name,
    aliases,
    active,
    position: position + 1,
  }));
  await upsertRows(tx, 'billers', ['product', 'network'], rows);
  await tx.query(
    `update billers
     set active = false
     where active
       and not exists (
         select
         from jsonb_to_recordset($1::jsonb) as kept (product text, network text)
         where kept.product = billers.product
           and kept.network = billers.network
       )`,
    [JSON.stringify(rows)],
  );
}

function toBiller({ product, ...row }: BillerRow): Biller {
  if (!isBillProduct(product)) throw new Error(`biller ${row.network} is of ${product}, no bill product`);
  return { product, ...row };
}
