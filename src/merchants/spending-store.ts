/**
 * SQL of the spending of capped credentials: only the current day counts, and rows go after a few
 * days.
 */
import type { Database, Tx } from '../db/database.ts';

/** A purchase that was accepted before midnight may not be counted yet. */
const DAYS_KEPT = 3;

export async function forgetOldSpending(database: Pick<Database, 'transaction'>): Promise<void> {
  while (await database.transaction(forgetOldDay));
}

/**
 * Locks and deletes one past day of a credential. Returns false if no such day is stored. A
 * purchase of a deleted day that fails later returns nothing to it.
 */
async function forgetOldDay(tx: Tx): Promise<boolean> {
  const rows = await tx.query(
    `with old as (
       select merchant_id, key_id, day
       from credential_spending
       where day < (now() at time zone 'Africa/Lagos')::date - $1::integer
       limit 1
       for update skip locked
     ),
     uncounted as (
       delete from capped_purchases c
       using old
       where c.merchant_id = old.merchant_id
       and c.key_id = old.key_id
       and c.day = old.day
     )
     delete from credential_spending s
     using old
     where s.merchant_id = old.merchant_id
     and s.key_id = old.key_id
     and s.day = old.day
     returning 1`,
    [DAYS_KEPT],
  );
  return rows.length > 0;
}
