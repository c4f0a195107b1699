-- As add_up_sales, of the money that was given back after a success: to merchants, and by
-- providers.
create or replace function add_up_refunds(p_from timestamptz, p_to timestamptz, p_seen pg_snapshot, p_cut pg_snapshot)
returns table (refunds bigint)
language sql
-- The plan must look rows up by their keys, whatever the statistics say.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  with fresh as materialized (
    select r.merchant_id, r.environment, r.vend_id, r.kind, r.amount
    -- Alone, so that they are found by their time, and by no other index.
    from (
      select *, xmin as inserted_by
      from vend_refunds
      where at >= p_from
      and at < p_to
      offset 0
    ) as r
    where (p_seen is null or not is_seen(r.inserted_by, p_seen))
    and is_seen(r.inserted_by, p_cut)
    -- Costs nothing but after a move.
    and (
      (select not exists (select from rows_added_before where mark = 'refunds'))
      or not exists (
        select
        from rows_added_before b
        where b.mark = 'refunds'
        and b.key = row_key(concat_ws('/', 'refund', r.merchant_id, r.refund_id))
      )
    )
  ),
  added as (
    insert into money_totals as t (environment, kind, product, provider, currency, count, amount)
    select
      f.environment,
      case f.kind when 'merchant' then 'refund' else 'cost_refund' end as kind,
      v.product,
      coalesce(o.provider, 'none') as provider,
      'NGN',
      count(*),
      sum(f.amount)::bigint
    from fresh f
    join vends v
      on v.merchant_id = f.merchant_id
      and v.environment = f.environment
      and v.id = f.vend_id
    join vend_outcomes o
      on o.merchant_id = f.merchant_id
      and o.vend_id = f.vend_id
    group by 1, 2, 3, 4
    on conflict (environment, kind, product, provider, currency) do update
    set
      count = t.count + excluded.count,
      amount = t.amount + excluded.amount
  )
  select count(*)
  from fresh;
$$;
