-- As add_up_sales, of the money that came in at banks.
create or replace function add_up_deposits(p_from timestamptz, p_to timestamptz, p_seen pg_snapshot, p_cut pg_snapshot)
returns table (deposits bigint)
language sql
set enable_seqscan = off
as $$
  with fresh as materialized (
    select d.environment, d.provider, d.currency, d.gross
    from (
      select *, xmin as inserted_by
      from deposits
      where created_at >= p_from
      and created_at < p_to
      offset 0
    ) as d
    where (p_seen is null or not is_seen(d.inserted_by, p_seen))
    and is_seen(d.inserted_by, p_cut)
    -- Costs nothing but after a move.
    and (
      (select not exists (select from rows_added_before where mark = 'deposits'))
      or not exists (
        select
        from rows_added_before b
        where b.mark = 'deposits'
        and b.key = row_key(concat_ws('/', 'deposit', d.id))
      )
    )
  ),
  added as (
    insert into money_totals as t (environment, kind, product, provider, currency, count, amount)
    select environment, 'deposit', '', provider, currency, count(*), sum(gross)::bigint
    from fresh
    group by environment, provider, currency
    on conflict (environment, kind, product, provider, currency) do update
    set
      count = t.count + excluded.count,
      amount = t.amount + excluded.amount
  )
  select count(*)
  from fresh;
$$;
