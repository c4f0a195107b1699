-- Adds the purchases that became final from one time to another to the reports: those that p_cut
-- sees and p_seen did not; without a cut all of them. Gives how many there were.
--
-- A success belongs to the day of its transfers, which are all of one day: that of the first. A
-- failure has none, and belongs to that of its outcome. A day that is closed takes no more: what
-- comes with its time belongs to the first open day.
create or replace function add_up_report_sales(p_from timestamptz, p_to timestamptz, p_seen pg_snapshot, p_cut pg_snapshot)
returns bigint
language sql
-- The plan must look rows up by their keys, whatever the statistics say.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  with fresh as materialized (
    select o.merchant_id, o.environment, o.vend_id, o.status, o.provider, o.cost, o.cost_estimated, o.at
    -- Alone, so that they are found by their time, and by no other index.
    from (
      select *, xmin as inserted_by
      from vend_outcomes
      where at >= p_from
      and at < p_to
      offset 0
    ) as o
    where (p_seen is null or not is_seen(o.inserted_by, p_seen))
    and (p_cut is null or is_seen(o.inserted_by, p_cut))
    -- Costs nothing but after a move.
    and (
      (select not exists (select from rows_added_before where mark = 'report'))
      or not exists (
        select
        from rows_added_before b
        where b.mark = 'report'
        and b.key = row_key(concat_ws('/', 'outcome', o.merchant_id, o.vend_id))
      )
    )
  ),
  ended as materialized (
    select
      f.environment, open_day(f.environment, lagos_day(t.booked_at)) as day, lagos_day(v.created_at) as accepted_day, f.merchant_id,
      v.product, v.network, coalesce(f.provider, 'none') as provider, coalesce(a.currency, 'NGN') as currency,
      f.status = 'success' as delivered,
      -- No provider: refused when it came, before anything was held.
      f.status = 'failed' and f.provider is null as refused,
      v.face_value, v.charge, coalesce(f.cost, 0) as cost,
      coalesce(f.cost_estimated, f.cost = coalesce((v.details->>'cost')::bigint, v.face_value)) as estimated,
      greatest((extract(epoch from f.at - v.created_at) * 1000)::bigint, 0) as took_ms, said.latency_ms,
      v.created_at < ((lagos_day(v.created_at) + 1)::timestamp - interval '1 hour 30 seconds') at time zone 'UTC' as waited
    from fresh f
    join vends v
      on v.merchant_id = f.merchant_id
      and v.environment = f.environment
      and v.id = f.vend_id
    left join accounts a on a.id = v.wallet_id
    cross join lateral (
      select coalesce(min(created_at), f.at) as booked_at
      from transfers
      where merchant_id = f.merchant_id
      and subject_id = f.vend_id
      and code in ('vend_cost', 'vend_margin', 'vend_loss')
    ) as t
    left join lateral (
      select latency_ms
      from provider_answers
      where merchant_id = f.merchant_id
      and vend_id = f.vend_id
      and source = 'vend'
      and latency_ms is not null
      order by attempt desc, at desc
      limit 1
    ) as said on true
  ),
  sold as (
    insert into report_sales as s (
      environment, day, accepted_day, merchant_id, product, network, provider, currency, successes, failures, refused, face_value,
      charge, cost, estimated_cost, losses, loss, held, waited
    )
    select
      environment, day, least(accepted_day, day), merchant_id, product, network, provider, currency,
      count(*) filter (where delivered),
      count(*) filter (where not delivered),
      count(*) filter (where refused),
      coalesce(sum(face_value) filter (where delivered), 0)::bigint,
      coalesce(sum(charge) filter (where delivered), 0)::bigint,
      coalesce(sum(cost) filter (where delivered), 0)::bigint,
      coalesce(sum(cost) filter (where delivered and estimated), 0)::bigint,
      count(*) filter (where delivered and cost > charge),
      coalesce(sum(cost - charge) filter (where delivered and cost > charge), 0)::bigint,
      coalesce(sum(charge) filter (where not refused), 0)::bigint,
      count(*) filter (where waited and not refused)
    from ended
    group by environment, day, least(accepted_day, day), merchant_id, product, network, provider, currency
    on conflict (environment, day, accepted_day, merchant_id, product, network, provider, currency) do update
    set
      successes = s.successes + excluded.successes,
      failures = s.failures + excluded.failures,
      refused = s.refused + excluded.refused,
      face_value = s.face_value + excluded.face_value,
      charge = s.charge + excluded.charge,
      cost = s.cost + excluded.cost,
      estimated_cost = s.estimated_cost + excluded.estimated_cost,
      losses = s.losses + excluded.losses,
      loss = s.loss + excluded.loss,
      held = s.held + excluded.held,
      waited = s.waited + excluded.waited
  ),
  timed as (
    insert into report_times as t (
      environment, day, merchant_id, product, network, provider, currency, measure, class, count, longest_ms
    )
    select
      e.environment, e.day, e.merchant_id, e.product, e.network, e.provider, e.currency, m.measure,
      -- Up to its end, and with it: one less than the number of a class that begins with its start.
      width_bucket(m.ms - 1, report_time_bounds()) as class,
      count(*),
      max(m.ms)
    from ended e
    cross join lateral (
      values
        ('final', case when not e.refused then e.took_ms end),
        ('refund', case when not e.refused and not e.delivered then e.took_ms end),
        ('latency', e.latency_ms::bigint)
    ) as m(measure, ms)
    where m.ms is not null
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    on conflict (environment, day, merchant_id, product, network, provider, currency, measure, class) do update
    set
      count = t.count + excluded.count,
      longest_ms = greatest(t.longest_ms, excluded.longest_ms)
  )
  select count(*)
  from ended;
$$;
