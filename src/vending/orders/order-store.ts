/**
 * The SQL that reads orders: what the vend's own statements leave out, so that those stay as light
 * as the other products need.
 */
import type { Sql } from '../../db/database.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { VendDetails } from '../vend/vend-details.ts';

/** What an order has besides a vend. */
export type OrderParts = {
  readonly details: VendDetails | undefined;
  /** Sealed goods, where there are any. */
  readonly sealed: string | undefined;
};

type OrderKey = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly vendId: string;
};

export async function findOrderParts(sql: Sql, key: OrderKey): Promise<OrderParts> {
  const [row] = await sql.query<{ details: VendDetails | null; sealed: string | null }>(
    {
      name: 'find_order_parts',
      text: `
        select v.details, s.sealed
        from vends v
        left join sealed_goods s
          on s.merchant_id = v.merchant_id
          and s.vend_id = v.id
        where v.merchant_id = (select $1::integer)
        and v.environment = (select $2::text)
        and v.id = $3`,
    },
    [key.merchantId, key.environment, key.vendId],
  );
  return { details: row?.details ?? undefined, sealed: row?.sealed ?? undefined };
}
