/** SQL of merchants: their profile, products and discounts. */

import type { Environment } from '../core/environment.ts';
import { invariant } from '../core/errors.ts';
import type { ProductName } from '../core/products/product.ts';
import type { Sql, Tx } from '../db/database.ts';

export type MerchantRow = {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly created_at: Date;
  readonly disabled_at: Date | null;
  /** The price list that the merchant was assigned to. */
  readonly price_list: string | null;
};

export type MerchantProductRow = { readonly environment: Environment; readonly product: string };

const merchantColumns = 'id, code, name, created_at, disabled_at, price_list';

/**
 * Finds the merchant of a code in any letter case: codes never differ only in case.
 */
export async function findMerchant(sql: Sql, code: string): Promise<MerchantRow | undefined> {
  const [row] = await sql.query<MerchantRow>(
    `select ${merchantColumns}
     from merchants
     where lower(code) = lower($1)`,
    [code],
  );
  return row;
}

/** Finds the merchant and locks it until the transaction ends. */
export async function lockMerchant(tx: Tx, code: string): Promise<MerchantRow | undefined> {
  const [row] = await tx.query<MerchantRow>(
    `select ${merchantColumns}
     from merchants
     where lower(code) = lower($1)
     for no key update`,
    [code],
  );
  return row;
}

/** Lists merchants by code in any letter case, after the code `after`. */
export async function listMerchants(
  sql: Sql,
  {
    find,
    after,
    limit,
  }: { readonly find?: string | undefined; readonly after: string | undefined; readonly limit: number },
): Promise<MerchantRow[]> {
  return await sql.query<MerchantRow>(
    `select ${merchantColumns}
     from merchants
     where ($1::text is null or lower(code) > lower($1))
     and (
       $3::text is null
       or strpos(translate(lower(code), '. -', ''), translate(lower($3), '. -', '')) > 0
       or strpos(translate(lower(name), '. -', ''), translate(lower($3), '. -', '')) > 0
       or id in (select merchant_id from credentials where lower(key_id) = lower($3))
     )
     order by lower(code)
     limit $2`,
    [after, limit, find],
  );
}

/** Undefined when the code is taken, in any letter case. */
export async function insertMerchant(
  tx: Tx,
  merchant: { readonly code: string; readonly name: string },
): Promise<MerchantRow | undefined> {
  // Concurrent transactions do not see each other's code. Readers and purchases do not wait for
  // this lock.
  await tx.query('lock table merchants in share row exclusive mode');
  if ((await findMerchant(tx, merchant.code)) !== undefined) return undefined;
  const [row] = await tx.query<MerchantRow>(
    `insert into merchants (code, name)
     values ($1, $2)
     returning ${merchantColumns}`,
    [merchant.code, merchant.name],
  );
  return row;
}

export async function updateDisabled(tx: Tx, merchantId: number, disabled: boolean): Promise<void> {
  await tx.query(
    `update merchants
     set disabled_at = case when $2::boolean then now() end
     where id = $1`,
    [merchantId, disabled],
  );
}

export async function listMerchantProducts(sql: Sql, merchantId: number): Promise<MerchantProductRow[]> {
  return await sql.query<MerchantProductRow>(
    `select environment, product
     from merchant_products
     where merchant_id = $1
     order by environment, product`,
    [merchantId],
  );
}

/** False when the product was enabled already. */
export async function insertMerchantProduct(
  tx: Tx,
  merchantId: number,
  environment: Environment,
  product: ProductName,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into merchant_products (merchant_id, environment, product)
     values ($1, $2, $3)
     on conflict (merchant_id, environment, product) do nothing
     returning product`,
    [merchantId, environment, product],
  );
  return rows.length > 0;
}

/** False when the product was not enabled. */
export async function deleteMerchantProduct(
  tx: Tx,
  merchantId: number,
  environment: Environment,
  product: ProductName,
): Promise<boolean> {
  const rows = await tx.query(
    `delete from merchant_products
     where merchant_id = $1
     and environment = $2
     and product = $3
     returning product`,
    [merchantId, environment, product],
  );
  return rows.length > 0;
}

export async function insertWallet(
  tx: Tx,
  wallet: {
    readonly accountId: bigint;
    readonly merchantId: number;
    readonly environment: Environment;
    readonly currency: string;
  },
): Promise<void> {
  await tx.query(
    `with opened as (
       insert into wallet_states (wallet_id, seq, posted, held, floor, merchant_id)
       values ($1, 0, 0, 0, 0, $2)
     )
     insert into wallet_owners (account_id, merchant_id, environment, currency)
     values ($1, $2, $3, $4)`,
    [wallet.accountId, wallet.merchantId, wallet.environment, wallet.currency],
  );
}

/** Returns the code of an existing merchant. */
export async function merchantCodeOf(sql: Sql, merchantId: number): Promise<string> {
  const [row] = await sql.query<{ code: string }>(
    `select code
     from merchants
     where id = $1`,
    [merchantId],
  );
  invariant(row !== undefined, `merchant ${merchantId} exists`);
  return row.code;
}
