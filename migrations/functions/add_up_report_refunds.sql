-- As add_up_report_sales, of money that was given back for successes: to merchants, and by
-- providers. It belongs to the day of its transfer.
create or replace function add_up_report_refunds(p_from timestamptz, p_to timestamptz, p_seen pg_snapshot, p_cut pg_snapshot)
returns bigint
language sql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  with fresh as materialized (
    select r.merchant_id, r.environment, r.refund_id, r.vend_id, r.kind, r.amount, r.at
    from (
      select *, xmin as inserted_by
      from vend_refunds
      where at >= p_from
      and at < p_to
      offset 0
    ) as r
    where (p_seen is null or not is_seen(r.inserted_by, p_seen))
    and (p_cut is null or is_seen(r.inserted_by, p_cut))
    -- Costs nothing but after a move.
    and (
      (select not exists (select from rows_added_before where mark = 'report'))
      or not exists (
        select
        from rows_added_before b
        where b.mark = 'report'
        and b.key = row_key(concat_ws('/', 'refund', r.merchant_id, r.refund_id))
      )
    )
  ),
  returned as materialized (
    select
      f.environment, open_day(f.environment, lagos_day(t.booked_at)) as day, lagos_day(s.booked_at) as sale_day, f.kind, f.merchant_id,
      v.product, v.network, coalesce(o.provider, 'none') as provider, coalesce(a.currency, 'NGN') as currency, f.amount
    from fresh f
    join vends v
      on v.merchant_id = f.merchant_id
      and v.environment = f.environment
      and v.id = f.vend_id
    join vend_outcomes o
      on o.merchant_id = f.merchant_id
      and o.vend_id = f.vend_id
    left join accounts a on a.id = v.wallet_id
    cross join lateral (
      select coalesce(min(created_at), f.at) as booked_at
      from transfers
      where merchant_id = f.merchant_id
      and subject_id = f.refund_id
    ) as t
    cross join lateral (
      select coalesce(min(created_at), o.at) as booked_at
      from transfers
      where merchant_id = f.merchant_id
      and subject_id = f.vend_id
      and code in ('vend_cost', 'vend_margin', 'vend_loss')
    ) as s
  ),
  added as (
    insert into report_refunds as r (
      environment, day, sale_day, kind, merchant_id, product, network, provider, currency, count, amount
    )
    select
      environment, day, least(sale_day, day), kind, merchant_id, product, network, provider, currency, count(*), sum(amount)::bigint
    from returned
    group by environment, day, least(sale_day, day), kind, merchant_id, product, network, provider, currency
    on conflict (environment, day, sale_day, kind, merchant_id, product, network, provider, currency) do update
    set
      count = r.count + excluded.count,
      amount = r.amount + excluded.amount
  )
  select count(*)
  from returned;
$$;
