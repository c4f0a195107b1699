/**
 * The SQL that forgets what providers and banks told of persons whose purchase is not known here:
 * orders that were found after a restore, and differences of reconciliations.
 */
import type { Sql, Tx } from '../db/database.ts';
import type { VendKind } from './vend-anonymising-store.ts';

/** While the fence is up, it is still to be found out whose an order is. */
const isOver = `not exists (
  select
  from restore_fences f
  where f.id = o.fence_id
  and f.lifted_at is null
)`;

/** Found orders that did not change for so long. Gives how many. */
export async function forgetFoundOrders(
  tx: Tx,
  kind: VendKind,
  before: Date,
  limit: number,
): Promise<number> {
  const numbers = kind === 'purchases';
  const rows = await tx.query(
    `update found_orders u
     set listed = listed ${numbers ? "- 'recipient'" : ''} || '{"words": ""}'
     where (u.provider, u.reference) in (
       select o.provider, o.reference
       from found_orders o
       where o.at < $1
       and o.vend_id is null
       and (o.listed->>'words' <> '' ${numbers ? "or o.listed ? 'recipient'" : ''})
       and ${isOver}
       limit $2
       for update skip locked
     )
     returning 1`,
    [before, limit],
  );
  return rows.length;
}

/** Differences of no purchase, of what was so long ago. Gives how many. */
export async function forgetDifferences(tx: Tx, before: Date, limit: number): Promise<number> {
  await tx.query("set local oja.anonymising = 'on'");
  const rows = await tx.query(
    `update reconciliation_differences u
     set there = '', mend = null
     where (u.run_id, u.number) in (
       select run_id, number
       from reconciliation_differences
       where at < $1
       and vend_id is null
       and (there <> '' or mend is not null)
       limit $2
       for update skip locked
     )
     returning 1`,
    [before, limit],
  );
  await tx.query('set local oja.anonymising = off');
  return rows.length;
}

export type HeldFoundOrder = {
  readonly provider: string;
  readonly reference: string;
  readonly recipient: string;
  readonly words: string;
  readonly at: Date;
  readonly isOver: boolean;
};

/** Orders of no known purchase that were for one of these. There are few: those of a lost time. */
export async function findFoundOrders(sql: Sql, recipients: readonly string[]): Promise<HeldFoundOrder[]> {
  return await sql.query<HeldFoundOrder>(
    `select
       o.provider, o.reference, o.listed->>'recipient' as recipient, coalesce(o.listed->>'words', '') as words, o.at,
       ${isOver} as "isOver"
     from found_orders o
     where o.vend_id is null
     and o.listed->>'recipient' = any($1)
     order by o.provider, o.reference`,
    [recipients],
  );
}

/** By the provider and its reference, with a slash between. */
export async function forgetFoundOrder(tx: Tx, name: string): Promise<void> {
  await tx.query(
    `update found_orders
     set listed = listed - 'recipient' || '{"words": ""}'
     where provider || '/' || reference = $1`,
    [name],
  );
}
