-- Reads a merchant's feed after a position: p_moved transfers and p_placed events at most, in their
-- order. The first transfer of a purchase represents it. Transfers are read in index order,
-- including those of the merchant's other environment.
--
-- The last rows, `moved` and `placed`, say how far each of the two was read if there may be more.
create or replace function read_feed(
  p_merchant_id integer, p_environment text, p_after bigint, p_moved bigint, p_placed bigint
)
returns table ("position" bigint, id uuid, type text, purchase_id uuid, product text, facts jsonb, at timestamptz)
language sql
stable
-- The plan must read both in index order. A planner that expects few rows per merchant, because
-- most have few, would read all rows of the merchant and sort them. The merchant stands in
-- subqueries so that the planner does not see it: for a merchant without statistics it would expect
-- no rows, and look up purchases by the wrong index.
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  with moved as materialized (
    select t.id, t.subject_id, t.code, t.created_at
    from transfers t
    where t.merchant_id = (select p_merchant_id)
    and t.id > p_after
    order by t.id
    limit p_moved
  ),
  placed as materialized (
    select e.position, e.id, e.type, e.purchase_id, e.facts, e.at
    from events e
    where e.merchant_id = (select p_merchant_id)
    and e.environment = (select p_environment)
    and e.position > p_after
    order by e.position
    limit p_placed
  )
  select m.id, v.id, 'purchase.succeeded', v.id, v.product, null::jsonb, m.created_at
  from moved m
  cross join lateral (
    select v.id, v.product
    from purchases v
    where v.merchant_id = (select p_merchant_id)
    and v.environment = (select p_environment)
    and v.id = m.subject_id
    -- By its key, however many the planner expects.
    limit 1
  ) as v
  where m.code = 'purchase_cost'
  or (
    m.code in ('purchase_margin', 'purchase_loss')
    -- Not with "not exists", which may read all costs of the merchant at once.
    and (
      select c.code
      from transfers c
      where c.merchant_id = (select p_merchant_id)
      and c.subject_id = m.subject_id
      and c.code = 'purchase_cost'
      limit 1
    ) is null
  )
  union all
  select p.position, p.id, p.type, p.purchase_id, v.product, p.facts, p.at
  from placed p
  left join lateral (
    select v.product
    from purchases v
    where v.merchant_id = (select p_merchant_id)
    and v.environment = (select p_environment)
    and v.id = p.purchase_id
    limit 1
  ) as v on true
  union all
  select (select max(m.id) from moved m), null, 'moved', null, null, null, null
  where (select count(*) from moved) = p_moved
  union all
  select (select max(p.position) from placed p), null, 'placed', null, null, null, null
  where (select count(*) from placed) = p_placed
  order by 1;
$$;
