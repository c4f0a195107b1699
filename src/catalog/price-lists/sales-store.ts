/** Reads the purchases of the merchants of a price list. */
import type { Sql } from '../../db/database.ts';

/** The sales of a plan, or of an amount, at one face value. Amounts are in kobo. */
export type SalesRow = {
  readonly product: string;
  readonly network: string;
  /** Null if it is the usual one. */
  readonly kind: string | null;
  /** Empty if the customer chose the amount. */
  readonly plan_code: string;
  readonly face_value: bigint;
  readonly count: bigint;
  /** Sums of the sales. */
  readonly charge: bigint;
  readonly cost: bigint;
};

const DAYS = 30;

/**
 * Sums the live successes of the last 30 days, without gift cards and eSIMs. Ids begin with the
 * time of their purchase, so that only those days are read.
 */
export async function listSales(sql: Sql, list: string): Promise<SalesRow[]> {
  return await sql.query<SalesRow>(
    `select
       v.product,
       v.network,
       v.details->>'kind' as kind,
       coalesce(v.plan_code, '') as plan_code,
       v.face_value,
       count(*) as count,
       sum(v.charge)::bigint as charge,
       sum(o.cost)::bigint as cost
     from merchants m
     join purchases v
       on v.merchant_id = m.id
       and v.environment = 'live'
       and v.id >= (
         lpad(to_hex((extract(epoch from now() - make_interval(days => $2)) * 1000)::bigint), 12, '0')
           || repeat('0', 20)
       )::uuid
     join purchase_outcomes o
       on o.merchant_id = v.merchant_id
       and o.purchase_id = v.id
     join products p
       on p.product = v.product
       and p.kind <> 'order'
     where m.price_list = $1
     and o.status = 'success'
     and o.cost is not null
     group by 1, 2, 3, 4, 5
     order by 1, 2, 3, 4, 5`,
    [list, DAYS],
  );
}
