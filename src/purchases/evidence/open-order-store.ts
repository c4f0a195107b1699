/** SQL of the open orders of an account. */
import type { Sql } from '../../db/database.ts';

/** Attempts after the first one start later than their purchase. */
const MARGIN = 50;

/**
 * Finds when the `count`th oldest open order at a provider was committed, in milliseconds. The
 * result may be later than that, and is undefined if fewer are open.
 */
export async function findOpenOrder(sql: Sql, provider: string, count: number): Promise<number | undefined> {
  const [row] = await sql.query<{ started_ms: number }>(
    `select extract(epoch from a.started_at)::float8 * 1000 as started_ms
     from (
       select merchant_id, purchase_id, attempts
       from pending_purchases
       where provider = $1
       and step = 'query'
       order by created_at
       limit $3
     ) p
     cross join lateral (
       select started_at
       from attempts
       where merchant_id = p.merchant_id
       and purchase_id = p.purchase_id
       and number = p.attempts
       and provider = $1
       limit 1
     ) a
     order by a.started_at
     offset $2 - 1
     limit 1`,
    [provider, count, count + MARGIN],
  );
  return row?.started_ms;
}
