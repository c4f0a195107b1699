-- Adds the transfers between two times to the ledger by day and to balances, and the refunds that
-- they belong to. A transfer belongs to the Lagos day of its time. Returns how many there were. It
-- runs together with roll_up_purchases.
create or replace function roll_up_transfers(p_from timestamptz, p_to timestamptz)
returns bigint
language sql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  with booked as materialized (
    select
      t.merchant_id, t.subject_id, t.code, t.debit_account_id, t.credit_account_id, t.amount, a.environment,
      lagos_day(t.created_at) as day
    from (
      select *
      from transfers
      where created_at >= p_from
      and created_at < p_to
      offset 0
    ) as t
    join accounts a on a.id = t.debit_account_id
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
  ),
  -- The purchase of a refund succeeded before it.
  returned as materialized (
    select
      b.environment, b.day, lagos_day(o.at) as sale_day, r.kind, b.merchant_id, v.product, v.network,
      plan_kind_of(v.product, v.details) as plan_kind, coalesce(o.provider, 'none') as provider,
      coalesce(a.currency, 'NGN') as currency, b.amount
    from booked b
    join purchase_refunds r
      on r.merchant_id = b.merchant_id
      and r.refund_id = b.subject_id
    join purchase_outcomes o
      on o.merchant_id = r.merchant_id
      and o.purchase_id = r.purchase_id
    join purchases v
      on v.merchant_id = r.merchant_id
      and v.environment = r.environment
      and v.id = r.purchase_id
    left join accounts a on a.id = v.wallet_id
    where b.code in ('refund', 'provider_refund')
  ),
  given_back as (
    insert into report_refunds as r (
      environment, day, sale_day, kind, merchant_id, product, network, plan_kind, provider, currency, count, amount
    )
    select
      environment, day, least(sale_day, day), kind, merchant_id, product, network, plan_kind, provider, currency, count(*),
      sum(amount)::bigint
    from returned
    group by environment, day, least(sale_day, day), kind, merchant_id, product, network, plan_kind, provider, currency
    on conflict (environment, day, sale_day, kind, merchant_id, product, network, plan_kind, provider, currency) do update
    set
      count = r.count + excluded.count,
      amount = r.amount + excluded.amount
  )
  select count(*)
  from booked;
$$;
