/** Stores the products of this installation. */
import type { Tx } from '../../db/database.ts';

export type StoredProduct = {
  readonly name: string;
  readonly kind: string;
  readonly isSealed: boolean;
};

/** Whether every product is stored as given. */
export async function areStored(tx: Tx, products: readonly StoredProduct[]): Promise<boolean> {
  const rows = await tx.query(
    `select
     from products known
     join unnest($1::text[], $2::text[], $3::boolean[]) as p(product, kind, sealed)
       on known.product = p.product
       and known.kind = p.kind
       and known.sealed = p.sealed`,
    columnsOf(products),
  );
  return rows.length === products.length;
}

/** Adds new products and returns their names in order. */
export async function insertProducts(tx: Tx, products: readonly StoredProduct[]): Promise<string[]> {
  const rows = await tx.query<{ product: string }>(
    `
    insert into products (product, kind, sealed)
    select product, kind, sealed
    from unnest($1::text[], $2::text[], $3::boolean[]) as p(product, kind, sealed)
    on conflict (product) do nothing
    returning product`,
    columnsOf(products),
  );
  const added = new Set(rows.map(({ product }) => product));
  return products.map(({ name }) => name).filter((name) => added.has(name));
}

/** Updates the stored products. Writes no row that is equal already. */
export async function updateProducts(tx: Tx, products: readonly StoredProduct[]): Promise<void> {
  await tx.query(
    `
    update products known
    set
      kind = p.kind,
      sealed = p.sealed
    from unnest($1::text[], $2::text[], $3::boolean[]) as p(product, kind, sealed)
    where known.product = p.product
    and (known.kind <> p.kind or known.sealed <> p.sealed)`,
    columnsOf(products),
  );
}

function columnsOf(products: readonly StoredProduct[]): readonly unknown[] {
  return [
    products.map(({ name }) => name),
    products.map(({ kind }) => kind),
    products.map(({ isSealed }) => isSealed),
  ];
}
