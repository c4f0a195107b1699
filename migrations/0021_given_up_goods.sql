-- Goods that a provider was asked for in vain keep their row in late_goods, with due_at null: so the
-- books say of each success what it brought or that it was given up. They may still be added, by an
-- operator or by an answer that comes late.
alter table late_goods alter column due_at drop not null;

-- A token for a meter that 0.1.0 let operators add to an order: the merchant was never shown it, and
-- the order still owes what it owes.
alter table vend_goods disable trigger vend_goods_append_only;
delete from vend_goods g
using vend_outcomes o, vends v, products p
where o.merchant_id = g.merchant_id
and o.vend_id = g.vend_id
and v.merchant_id = g.merchant_id
and v.environment = o.environment
and v.id = g.vend_id
and p.product = v.product
and p.sealed
and g.goods - 'reference_code' <> '{}';
alter table vend_goods enable trigger vend_goods_append_only;

-- Those that were given up before.
insert into late_goods (merchant_id, environment, vend_id, due_at)
select distinct a.merchant_id, o.environment, a.vend_id, null::timestamptz
from alarms a
join vend_outcomes o
  on o.merchant_id = a.merchant_id
  and o.vend_id = a.vend_id
where a.kind in ('late_goods', 'goods_lost')
and o.status = 'success'
and not exists (
  select 1
  from vend_goods g
  where g.merchant_id = a.merchant_id
  and g.vend_id = a.vend_id
)
and (
  not exists (
    select 1
    from sealed_goods s
    where s.merchant_id = a.merchant_id
    and s.vend_id = a.vend_id
  )
  -- Some of its goods came, and its customer still waits for the rest.
  or exists (
    select 1
    from deliveries d
    where d.merchant_id = a.merchant_id
    and d.vend_id = a.vend_id
    and d.state = 'waiting'
  )
)
on conflict do nothing;
