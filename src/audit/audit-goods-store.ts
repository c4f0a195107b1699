/** The audit of what purchases bring: it is there where it is due, and sealed where it must be. */
import type { AuditCheck } from './audit-store.ts';

export const goodsChecks: readonly AuditCheck[] = [
  {
    name: 'late-goods',
    over: 'slice',
    description:
      'Goods are owed, were given up or came late for a success alone, and are not owed once they came',
    differences: `
      select coalesce(l.merchant_id, g.merchant_id) as merchant_id, coalesce(l.vend_id, g.vend_id) as vend, o.status, g.at as arrived_at
      from late_goods l
      full join vend_goods g
        on g.merchant_id = l.merchant_id
        and g.vend_id = l.vend_id
      left join vend_outcomes o
        on o.merchant_id = coalesce(l.merchant_id, g.merchant_id)
        and o.vend_id = coalesce(l.vend_id, g.vend_id)
      where o.status is distinct from 'success'
      or (l.vend_id is not null and g.vend_id is not null)
      or (l.vend_id is not null and l.environment <> o.environment)`,
  },
  {
    name: 'sealed-goods',
    over: 'slice',
    description:
      'What can be spent is sealed: it is there for each success of such a product whose goods are not owed or given up, and for nothing else; none is in clear',
    differences: `
      select v.merchant_id, v.id as vend, v.product, o.status, s.key_id, s.vend_id is not null as sealed
      from vends v
      left join products r on r.product = v.product
      left join vend_outcomes o
        on o.merchant_id = v.merchant_id
        and o.vend_id = v.id
      left join vend_goods g
        on g.merchant_id = v.merchant_id
        and g.vend_id = v.id
      left join late_goods l
        on l.merchant_id = v.merchant_id
        and l.vend_id = v.id
      left join sealed_goods s
        on s.merchant_id = v.merchant_id
        and s.vend_id = v.id
      where case
        when r.sealed is not true then s.vend_id is not null
        when o.status is distinct from 'success' then s.vend_id is not null
        else
          (s.vend_id is null and l.vend_id is null)
          or s.key_id <> split_part(s.sealed, ':', 1)
          or coalesce(o.goods, '{}') - 'reference_code' <> '{}'
          or coalesce(g.goods, '{}') - 'reference_code' <> '{}'
      end
      union all
      select s.merchant_id, s.vend_id, null, null, s.key_id, true
      from sealed_goods s
      left join vends v
        on v.merchant_id = s.merchant_id
        and v.id = s.vend_id
      where v.id is null`,
  },
];
