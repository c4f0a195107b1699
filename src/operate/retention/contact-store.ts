/**
 * The SQL that forgets where orders were sent, and who merchants are to their banks, and that lets
 * one process at a time forget.
 */
import type { Tx } from '../../db/database.ts';

/** To the end of the transaction; false where another process has it. */
export async function takeTurn(tx: Tx): Promise<boolean> {
  const rows = await tx.query("select from settings where name = 'retention' for update skip locked");
  // Each row by its key, whatever the statistics say.
  await tx.query(`
    set local enable_hashjoin = off;
    set local enable_mergejoin = off`);
  return rows.length > 0;
}

/**
 * Deliveries that have ended and did not change for so many days lose their destination. Gives how
 * many.
 */
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
 * Identities that merchants registered so long ago, where no bank is still to be asked with them.
 * The next account of such a merchant needs a registration again.
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
