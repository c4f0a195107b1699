/**
 * The SQL of purchases that were entered from a provider's list, and of how they get their names.
 */
import type { Sql, Tx } from '../../db/database.ts';
import type { Environment } from '../../core/environment.ts';

export type EnteredKey = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly mark: string;
};

/** Those without their merchant's reference. None as a rule. */
export async function listNameless(sql: Sql): Promise<readonly EnteredKey[]> {
  const rows = await sql.query<{ merchant_id: number; environment: Environment; mark: string }>(
    `select merchant_id, environment, mark
     from entered_vends
     where named_at is null`,
  );
  return rows.map((row) => ({ merchantId: row.merchant_id, environment: row.environment, mark: row.mark }));
}

/** Locks it; undefined where there is none, or it has its name. */
export async function lockNameless(tx: Tx, key: EnteredKey): Promise<string | undefined> {
  const [row] = await tx.query<{ vend_id: string }>(
    `select vend_id
     from entered_vends
     where merchant_id = $1
     and environment = $2
     and mark = $3
     and named_at is null
     for update`,
    [key.merchantId, key.environment, key.mark],
  );
  return row?.vend_id;
}

/** The vend that was entered under the mark, named or not. */
export async function findEntered(sql: Sql, key: EnteredKey): Promise<string | undefined> {
  const [row] = await sql.query<{ vend_id: string }>(
    `select vend_id
     from entered_vends
     where merchant_id = $1
     and environment = $2
     and mark = $3`,
    [key.merchantId, key.environment, key.mark],
  );
  return row?.vend_id;
}

export async function insertEntered(tx: Tx, key: EnteredKey & { readonly vendId: string }): Promise<void> {
  await tx.query(
    `insert into entered_vends (merchant_id, environment, mark, vend_id)
     values ($1, $2, $3, $4)`,
    [key.merchantId, key.environment, key.mark, key.vendId],
  );
}

type NamedVend = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly vendId: string;
  /** The merchant's own. */
  readonly reference: string;
};

/** Gives the reference that it had until now; undefined where another purchase has the new one. */
export async function renameVend(tx: Tx, vend: NamedVend): Promise<string | undefined> {
  const { merchantId, environment, vendId, reference } = vend;
  const [before] = await tx.query<{ reference: string; is_taken: boolean }>(
    `select v.reference, exists (
       select
       from vends o
       where o.merchant_id = $1
       and o.environment = $2
       and o.reference = $4
     ) as is_taken
     from vends v
     where v.merchant_id = $1
     and v.environment = $2
     and v.id = $3`,
    [merchantId, environment, vendId, reference],
  );
  if (before === undefined || before.is_taken) return undefined;
  await tx.query(
    `update vends
     set reference = $4
     where merchant_id = $1
     and environment = $2
     and id = $3`,
    [merchantId, environment, vendId, reference],
  );
  await tx.query(
    `update entered_vends
     set named_at = now()
     where merchant_id = $1
     and environment = $2
     and vend_id = $3
     and named_at is null`,
    [merchantId, environment, vendId],
  );
  return before.reference;
}
