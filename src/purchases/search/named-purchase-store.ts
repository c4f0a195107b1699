/**
 * The SQL that finds purchases by a reference, our id, or a token that came late. The keys of
 * purchases begin with the merchant, so each merchant is looked up. The cost grows with the number
 * of merchants, not of purchases.
 */

import { isUuid } from '../../core/ids.ts';
import type { Sql } from '../../db/database.ts';
import type { PurchaseKey } from './search-filter.ts';

type Row = {
  readonly merchantId: number;
  readonly environment: PurchaseKey['environment'];
  readonly id: string;
};

/**
 * The maximum number of attempts with the same reference. References are generated, so more cannot
 * occur.
 */
const ATTEMPTS_MAX = 100;

/** By the merchant's reference, our id, or our reference of an attempt at a provider. */
export async function findByReference(
  sql: Sql,
  reference: string,
  merchantId: number | undefined,
): Promise<PurchaseKey[]> {
  const id = reference.toLowerCase();
  return await sql.query<Row>(
    `select v.merchant_id as "merchantId", v.environment, v.id
     from merchants m
     cross join (values ('live'), ('test')) as e(environment)
     cross join lateral (
       (
         select merchant_id, environment, id
         from purchases
         where merchant_id = m.id
         and environment = e.environment
         and reference = $1
         limit 1
       )
       union all
       (
         select merchant_id, environment, id
         from purchases
         where merchant_id = m.id
         and environment = e.environment
         and id = $2::uuid
         limit 1
       )
     ) as v
     where $3::integer is null
     or m.id = $3
     union
     select v.merchant_id, v.environment, v.id
     from (
       select merchant_id, purchase_id
       from attempts
       where reference = $1
       limit ${ATTEMPTS_MAX}
     ) as a
     cross join (values ('live'), ('test')) as e(environment)
     cross join lateral (
       select merchant_id, environment, id
       from purchases
       where merchant_id = a.merchant_id
       and environment = e.environment
       and id = a.purchase_id
       limit 1
     ) as v`,
    [reference, isUuid(id) ? id : null, merchantId ?? null],
  );
}

/** By a token that came after the outcome. */
export async function findByLateToken(sql: Sql, token: string): Promise<PurchaseKey[]> {
  return await sql.query<Row>(
    `select o.merchant_id as "merchantId", o.environment, o.purchase_id as id
     from (
       select merchant_id, purchase_id
       from purchase_goods
       where goods @> jsonb_build_object('token', $1::text)
       or goods @> jsonb_build_object('bonus_token', $1::text)
       or goods @> jsonb_build_object('kct1', $1::text)
       or goods @> jsonb_build_object('kct2', $1::text)
       limit ${ATTEMPTS_MAX}
     ) as g
     join purchase_outcomes o
       on o.merchant_id = g.merchant_id
       and o.purchase_id = g.purchase_id`,
    [token],
  );
}
