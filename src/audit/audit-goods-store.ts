/** Checks of goods: they are present where they are due, and sealed where they must be. */
import type { AuditCheck } from './audit-store.ts';

export const goodsChecks: readonly AuditCheck[] = [
  {
    name: 'late-goods',
    over: 'slice',
    description:
      'Goods are pending, were given up or arrived late only for a success, and are not pending once they have arrived',
    differences: `
      select coalesce(l.merchant_id, g.merchant_id) as merchant_id, coalesce(l.purchase_id, g.purchase_id) as purchase, o.status, g.at as arrived_at
      from pending_fulfilments l
      full join purchase_goods g
        on g.merchant_id = l.merchant_id
        and g.purchase_id = l.purchase_id
      left join purchase_outcomes o
        on o.merchant_id = coalesce(l.merchant_id, g.merchant_id)
        and o.purchase_id = coalesce(l.purchase_id, g.purchase_id)
      where o.status is distinct from 'success'
      or (l.purchase_id is not null and g.purchase_id is not null)
      or (l.purchase_id is not null and l.environment <> o.environment)`,
  },
  {
    name: 'sealed-goods',
    over: 'slice',
    description:
      'Spendable goods are sealed: they exist for each success of such a product whose goods are not pending or given up, and for no other purchase; none is in clear',
    differences: `
      select v.merchant_id, v.id as purchase, v.product, o.status, s.key_id, s.purchase_id is not null as sealed
      from purchases v
      left join products r on r.product = v.product
      left join purchase_outcomes o
        on o.merchant_id = v.merchant_id
        and o.purchase_id = v.id
      left join purchase_goods g
        on g.merchant_id = v.merchant_id
        and g.purchase_id = v.id
      left join pending_fulfilments l
        on l.merchant_id = v.merchant_id
        and l.purchase_id = v.id
      left join sealed_goods s
        on s.merchant_id = v.merchant_id
        and s.purchase_id = v.id
      where case
        when r.sealed is not true then s.purchase_id is not null
        when o.status is distinct from 'success' then s.purchase_id is not null
        else
          (s.purchase_id is null and l.purchase_id is null)
          or s.key_id <> split_part(s.sealed, ':', 1)
          or coalesce(o.goods, '{}') - 'reference_code' <> '{}'
          or coalesce(g.goods, '{}') - 'reference_code' <> '{}'
      end
      union all
      select s.merchant_id, s.purchase_id, null, null, s.key_id, true
      from sealed_goods s
      left join purchases v
        on v.merchant_id = s.merchant_id
        and v.id = s.purchase_id
      where v.id is null`,
  },
];
