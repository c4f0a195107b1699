/** The SQL of what a message says of an order besides its goods. */
import type { Sql } from '../db/database.ts';
import type { Environment } from '../environment.ts';

export type OrderFacts = {
  readonly reference: string;
  readonly merchant_name: string;
  /** Null where the plan is not in the catalog any more. */
  readonly title: string | null;
};

/** Of a gift card order that is a success; undefined for anything else. */
export async function findOrderFacts(
  sql: Sql,
  vend: { readonly merchantId: number; readonly environment: Environment; readonly vendId: string },
): Promise<OrderFacts | undefined> {
  const [row] = await sql.query<OrderFacts>(
    {
      name: 'find_order_facts',
      text: `
        select
          v.reference,
          m.name as merchant_name,
          p.title
        from vends v
        join vend_outcomes o
          on o.merchant_id = v.merchant_id
          and o.vend_id = v.id
          and o.status = 'success'
        join merchants m on m.id = v.merchant_id
        left join gift_card_plans p on p.plan_id = v.plan_code::integer
        where v.merchant_id = $1
        and v.environment = $2
        and v.id = $3
        and v.product = 'GIFTCARD'`,
    },
    [vend.merchantId, vend.environment, vend.vendId],
  );
  return row;
}
