/** SQL of the facts about an order that its message shows. */

import type { Environment } from '../../core/environment.ts';
import type { Sql } from '../../db/database.ts';

export type OrderFacts = {
  readonly reference: string;
  readonly merchant_name: string;
  /**
   * The title at the time of the order. For a plan of variable value, whose title names its limits,
   * the brand and country.
   */
  readonly title: string | null;
  /**
   * The value of each card of a plan of variable value, in minor units of `currency`; else null.
   */
  readonly chosen_value: string | null;
  readonly currency: string | null;
};

/** Finds a successful order of cards; undefined for any other purchase. */
export async function findOrderFacts(
  sql: Sql,
  purchase: { readonly merchantId: number; readonly environment: Environment; readonly purchaseId: string },
): Promise<OrderFacts | undefined> {
  const [row] = await sql.query<OrderFacts>(
    {
      name: 'find_order_facts',
      text: `
        select
          v.reference,
          m.name as merchant_name,
          case
            when p.min_price is not null then concat_ws(' ', p.brand, p.region)
            else coalesce(v.details->>'title', p.title)
          end as title,
          case when p.min_price is not null then v.details->'item'->>'unitPrice' end as chosen_value,
          v.details->'item'->>'currency' as currency
        from purchases v
        join purchase_outcomes o
          on o.merchant_id = v.merchant_id
          and o.purchase_id = v.id
          and o.status = 'success'
        join merchants m on m.id = v.merchant_id
        left join gift_card_plans p on p.plan_id = case when v.mode = 'order' and v.details->>'goodsOwed' = 'cards' then v.plan_code::integer end
        where v.merchant_id = (select $1::integer)
        and v.environment = (select $2::text)
        and v.id = $3
        and v.mode = 'order'
        and v.details->>'goodsOwed' = 'cards'`,
    },
    [purchase.merchantId, purchase.environment, purchase.purchaseId],
  );
  return row;
}
