/** SQL that deletes old destinations of deliveries and old identities, one process at a time. */
import type { Tx } from '../../db/database.ts';

/** Takes the lock of retention for the transaction. Returns false if another process has it. */
export async function lockRetention(tx: Tx): Promise<boolean> {
  const rows = await tx.query("select from settings where name = 'retention' for update skip locked");
  // Rows are read by key, also with wrong statistics.
  await tx.query(`
    set local enable_hashjoin = off;
    set local enable_mergejoin = off`);
  return rows.length > 0;
}

/** Deletes the destinations of final deliveries that did not change since. Returns the count. */
export async function forgetDestinations(tx: Tx, before: Date, limit: number): Promise<number> {
  const rows = await tx.query(
    `update deliveries d
     set destination = '', hint = '', note = null
     where (d.merchant_id, d.purchase_id) in (
       select merchant_id, purchase_id
       from deliveries
       where updated_at < $1
       and destination <> ''
       and state in ('sent', 'refused', 'unknown', 'given_up', 'cancelled')
       limit $2
       for update skip locked
     )
     returning 1`,
    [before, limit],
  );
  return rows.length;
}

/**
 * Deletes old identities that no bank needs any more. The merchant must register again to open
 * another account. Returns the count.
 */
export async function forgetIdentities(tx: Tx, before: Date, limit: number): Promise<number> {
  const rows = await tx.query(
    `delete from funding_identities i
     where (i.merchant_id, i.environment) in (
       select f.merchant_id, f.environment
       from funding_identities f
       where f.updated_at < $1
       and not exists (
         select
         from funding_accounts a
         where a.merchant_id = f.merchant_id
         and a.environment = f.environment
         and a.due_at is not null
       )
       limit $2
       for update skip locked
     )
     returning 1`,
    [before, limit],
  );
  return rows.length;
}
