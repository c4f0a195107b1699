/**
 * SQL that removes personal data of unknown purchases, which providers and banks reported, from the
 * differences of reconciliations.
 */
import type { Sql, Tx } from '../../db/database.ts';
import type { PurchaseKind } from './purchase-anonymising-store.ts';

/** Whether an open order is still needed, because the restore lock is set. */
const isNeeded = `(d.verdict = 'open' and exists (
  select
  from restore_locks
  where lifted_at is null
))`;

/** Anonymises differences older than a time. Returns the count. */
export async function forgetDifferences(
  tx: Tx,
  kind: PurchaseKind,
  before: Date,
  limit: number,
): Promise<number> {
  const numbers = kind === 'purchases';
  await tx.query("set local oja.anonymising = 'on'");
  const rows = await tx.query(
    `update reconciliation_differences u
     set there = '', listed = ${numbers ? "listed - 'recipient'" : 'listed'}
     where (u.run_id, u.number) in (
       select d.run_id, d.number
       from reconciliation_differences d
       where d.at < $1
       and d.purchase_id is null
       and (d.there <> '' ${numbers ? "or d.listed ? 'recipient'" : ''})
       and not ${isNeeded}
       limit $2
       for update skip locked
     )
     returning 1`,
    [before, limit],
  );
  await tx.query('set local oja.anonymising = off');
  return rows.length;
}

export type HeldFinding = {
  readonly provider: string;
  readonly reference: string;
  readonly recipient: string;
  readonly words: string;
  readonly at: Date;
  readonly isNeeded: boolean;
};

/** Finds unknown orders for these recipients. There are few. */
export async function findHeldFindings(sql: Sql, recipients: readonly string[]): Promise<HeldFinding[]> {
  return await sql.query<HeldFinding>(
    `select distinct on (r.party, d.reference)
       r.party as provider, d.reference, d.listed->>'recipient' as recipient, d.there as words, d.at,
       ${isNeeded} as "isNeeded"
     from reconciliation_differences d
     join reconciliation_runs r on r.id = d.run_id
     where d.purchase_id is null
     and d.listed->>'recipient' = any($1)
     order by r.party, d.reference, "isNeeded" desc`,
    [recipients],
  );
}

/** Anonymises an unknown order, named by provider and reference with a slash between. */
export async function forgetFinding(tx: Tx, name: string): Promise<void> {
  await tx.query("set local oja.anonymising = 'on'");
  await tx.query(
    `update reconciliation_differences d
     set there = '', listed = listed - 'recipient'
     from reconciliation_runs r
     where r.id = d.run_id
     and r.party || '/' || d.reference = $1
     and d.purchase_id is null
     and d.listed is not null`,
    [name],
  );
  await tx.query('set local oja.anonymising = off');
}
