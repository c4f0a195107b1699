/** SQL of saved recipients: customers whom a merchant has saved to buy for them again. */
import type { Product } from '../core/products/product.ts';
import type { Sql, Tx } from '../db/database.ts';

export type RecipientRow = {
  readonly merchant_id: number;
  readonly id: string;
  readonly name: string;
  readonly product: Product;
  readonly network: string;
  /** A mobile number in its local form, or the number of a meter, smartcard or account. */
  readonly number: string;
  readonly created_at: Date;
};

const columns = 'merchant_id, id, name, product, network, number, created_at';

/** Lists by name and id, from the place after `after`. */
export async function listRecipients(
  sql: Sql,
  merchantId: number,
  page: {
    readonly after: { readonly id: string; readonly name: string } | undefined;
    readonly limit: number;
    readonly product?: string | undefined;
  },
): Promise<RecipientRow[]> {
  return await sql.query<RecipientRow>(
    `select ${columns}
     from saved_recipients
     where merchant_id = $1
     and ($2::uuid is null or (name, id) > ($3, $2))
     and ($4::text is null or product = $4)
     order by name, id
     limit $5`,
    [merchantId, page.after?.id ?? null, page.after?.name ?? null, page.product ?? null, page.limit],
  );
}

export async function findRecipient(
  sql: Sql,
  merchantId: number,
  id: string,
): Promise<RecipientRow | undefined> {
  const [row] = await sql.query<RecipientRow>(
    `select ${columns}
     from saved_recipients
     where merchant_id = $1
     and id = $2`,
    [merchantId, id],
  );
  return row;
}

export async function countRecipients(sql: Sql, merchantId: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::integer as count
     from saved_recipients
     where merchant_id = $1`,
    [merchantId],
  );
  return row?.count ?? 0;
}

/** Renames the one that has the same product, network and number. Returns the id. */
export async function putRecipient(
  tx: Tx,
  { merchant_id: merchantId, id, name, product, network, number }: Omit<RecipientRow, 'created_at'>,
): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    `insert into saved_recipients (merchant_id, id, name, product, network, number)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (merchant_id, product, network, number) do update
     set name = excluded.name
     returning id`,
    [merchantId, id, name, product, network, number],
  );
  return row?.id ?? id;
}

/** Returns whether there is one. */
export async function renameRecipient(
  tx: Tx,
  merchantId: number,
  id: string,
  name: string,
): Promise<boolean> {
  const rows = await tx.query(
    `update saved_recipients
     set name = $3
     where merchant_id = $1
     and id = $2
     returning id`,
    [merchantId, id, name],
  );
  return rows.length > 0;
}

/** Returns whether there was one. */
export async function deleteRecipient(tx: Tx, merchantId: number, id: string): Promise<boolean> {
  const rows = await tx.query(
    `delete from saved_recipients
     where merchant_id = $1
     and id = $2
     returning id`,
    [merchantId, id],
  );
  return rows.length > 0;
}
