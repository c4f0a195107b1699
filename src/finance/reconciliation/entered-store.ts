/**
 * SQL of purchases that were entered from a provider's list, until they get their merchant's
 * reference.
 */

import type { Environment } from '../../core/environment.ts';
import type { Sql, Tx } from '../../db/database.ts';

export type EnteredKey = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly mark: string;
};

/** Lists entered purchases without their merchant's reference. Usually there are none. */
export async function listNameless(sql: Sql): Promise<readonly EnteredKey[]> {
  const rows = await sql.query<{ merchant_id: number; environment: Environment; mark: string }>(
    `select merchant_id, environment, mark
     from entered_purchases
     where named_at is null`,
  );
  return rows.map((row) => ({ merchantId: row.merchant_id, environment: row.environment, mark: row.mark }));
}

/** Locks an entered purchase. Undefined if it is not found, or already has its reference. */
export async function lockNameless(tx: Tx, key: EnteredKey): Promise<string | undefined> {
  const [row] = await tx.query<{ purchase_id: string }>(
    `select purchase_id
     from entered_purchases
     where merchant_id = $1
     and environment = $2
     and mark = $3
     and named_at is null
     for update`,
    [key.merchantId, key.environment, key.mark],
  );
  return row?.purchase_id;
}

/** Finds the purchase that was entered under a mark, with or without its reference. */
export async function findEntered(sql: Sql, key: EnteredKey): Promise<string | undefined> {
  const [row] = await sql.query<{ purchase_id: string }>(
    `select purchase_id
     from entered_purchases
     where merchant_id = $1
     and environment = $2
     and mark = $3`,
    [key.merchantId, key.environment, key.mark],
  );
  return row?.purchase_id;
}

export async function insertEntered(
  tx: Tx,
  key: EnteredKey & { readonly purchaseId: string },
): Promise<void> {
  await tx.query(
    `insert into entered_purchases (merchant_id, environment, mark, purchase_id)
     values ($1, $2, $3, $4)`,
    [key.merchantId, key.environment, key.mark, key.purchaseId],
  );
}

type NamedPurchase = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly purchaseId: string;
  /** The merchant's reference. */
  readonly reference: string;
};

/**
 * Gives a purchase its merchant's reference and returns the reference before; undefined if another
 * purchase has the new one.
 */
export async function renamePurchase(tx: Tx, purchase: NamedPurchase): Promise<string | undefined> {
  const { merchantId, environment, purchaseId, reference } = purchase;
  const [before] = await tx.query<{ reference: string; is_taken: boolean }>(
    `select v.reference, exists (
       select
       from purchases o
       where o.merchant_id = $1
       and o.environment = $2
       and o.reference = $4
     ) as is_taken
     from purchases v
     where v.merchant_id = $1
     and v.environment = $2
     and v.id = $3`,
    [merchantId, environment, purchaseId, reference],
  );
  if (before === undefined || before.is_taken) return undefined;
  await tx.query(
    `update purchases
     set reference = $4
     where merchant_id = $1
     and environment = $2
     and id = $3`,
    [merchantId, environment, purchaseId, reference],
  );
  await tx.query(
    `update entered_purchases
     set named_at = now()
     where merchant_id = $1
     and environment = $2
     and purchase_id = $3
     and named_at is null`,
    [merchantId, environment, purchaseId],
  );
  return before.reference;
}
