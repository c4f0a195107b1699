-- As add_up_report_sales, of transfers. They belong to the day of their own time; those of one
-- purchase, which a midnight may come between, all to the day of the first.
create or replace function add_up_report_transfers(p_from timestamptz, p_to timestamptz, p_seen pg_snapshot, p_cut pg_snapshot)
returns bigint
language sql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  with fresh as materialized (
    select t.merchant_id, t.subject_id, t.code, t.debit_account_id, t.credit_account_id, t.amount, t.created_at
    from (
      select *, xmin as inserted_by
      from transfers
      where created_at >= p_from
      and created_at < p_to
      offset 0
    ) as t
    where (p_seen is null or not is_seen(t.inserted_by, p_seen))
    and (p_cut is null or is_seen(t.inserted_by, p_cut))
    -- Costs nothing but after a move.
    and (
      (select not exists (select from rows_added_before where mark = 'report'))
      or not exists (
        select
        from rows_added_before b
        where b.mark = 'report'
        and b.key = row_key(concat_ws('/', 'transfer', t.merchant_id, t.subject_id, t.code))
      )
    )
  ),
  -- As open_day says it, asked once for all.
  open as materialized (
    select environment, max(day) + 1 as first_day
    from closed_days
    group by environment
  ),
  booked as materialized (
    select f.*, a.environment, d.own_day, greatest(d.own_day, open.first_day) as day
    from fresh f
    join accounts a on a.id = f.debit_account_id
    left join open on open.environment = a.environment
    -- booked_day is asked in the hour after midnight alone: before it the answer is known.
    cross join lateral (
      select
        case
          when lagos_day(f.created_at) = lagos_day(f.created_at - interval '1 hour') then lagos_day(f.created_at)
          else booked_day(f.merchant_id, f.subject_id, f.code, f.created_at)
        end as own_day
    ) as d
  ),
  posted as (
    insert into report_ledger as l (environment, day, code, debit_account_id, credit_account_id, count, amount)
    select environment, day, code, debit_account_id, credit_account_id, count(*), sum(amount)::bigint
    from booked
    group by environment, day, code, debit_account_id, credit_account_id
    on conflict (environment, day, code, debit_account_id, credit_account_id) do update
    set
      count = l.count + excluded.count,
      amount = l.amount + excluded.amount
  ),
  late as (
    insert into report_late_transfers (
      merchant_id, subject_id, code, environment, own_day, day, debit_account_id, credit_account_id, amount
    )
    select merchant_id, subject_id, code, environment, own_day, day, debit_account_id, credit_account_id, amount
    from booked
    where day <> own_day
  ),
  moved as (
    insert into report_balances as b (account_id, balance)
    select account_id, sum(delta)::bigint
    from (
      select debit_account_id as account_id, -amount as delta
      from booked
      union all
      select credit_account_id, amount
      from booked
    ) as legs
    group by account_id
    on conflict (account_id) do update
    set balance = b.balance + excluded.balance
  )
  select count(*)
  from booked;
$$;
