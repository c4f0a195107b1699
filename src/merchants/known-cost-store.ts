/** The SQL of what providers took at last: what a discount must leave. */
import type { Sql } from '../db/database.ts';

export type KnownCost = { readonly provider: string; readonly face_value: bigint; readonly cost: bigint };

/**
 * Of each provider that sold the product of the network lately: the newest live purchase whose cost
 * was below its face value. Where it took all of the face value, it may just not say what it takes.
 * Each merchant's newest purchases are looked at, so the cost does not grow with the history.
 */
export async function listKnownCosts(
  sql: Sql,
  { product, network }: { readonly product: string; readonly network: string },
): Promise<KnownCost[]> {
  return await sql.query<KnownCost>(
    `select distinct on (o.provider) o.provider, v.face_value, o.cost
     from merchants m
     cross join lateral (
       select merchant_id, environment, id, product, face_value, created_at
       from vends
       where merchant_id = m.id
       and environment = 'live'
       and network = $2
       order by id desc
       limit 50
     ) v
     join vend_outcomes o
       on o.merchant_id = v.merchant_id
       and o.vend_id = v.id
       and o.status = 'success'
     where v.product = $1
     and o.cost < v.face_value
     order by o.provider, v.created_at desc`,
    [product, network],
  );
}
