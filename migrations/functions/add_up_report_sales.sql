-- Adds the purchases that became final from one time to another to the reports, and those of the
-- last day to recent_outcomes: those that p_cut sees and p_seen did not; without a cut all of them.
-- Gives how many there were.
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
  -- As open_day says it, asked once for all.
  open as materialized (
    select environment, max(day) + 1 as first_day
    from closed_days
    group by environment
  ),
  ended as materialized (
    select
      f.at, f.environment, greatest(lagos_day(t.booked_at), open.first_day) as day, lagos_day(v.created_at) as accepted_day, f.merchant_id,
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
    left join open on open.environment = f.environment
    -- One transaction stores an outcome and its transfers: away from midnight they are of one day.
    cross join lateral (
      select
        case
          when lagos_day(f.at - interval '1 hour') = lagos_day(f.at + interval '1 hour') then f.at
          else (
            select coalesce(min(created_at), f.at)
            from transfers
            where merchant_id = f.merchant_id
            and subject_id = f.vend_id
            and code in ('vend_cost', 'vend_margin', 'vend_loss')
          )
        end as booked_at
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
  -- Few groups, so that each purchase is looked at once for all measures.
  classed as (
    select
      environment, day, merchant_id, product, network, provider, currency, refused, delivered,
      -- Up to its end, and with it: one less than the number of a class that begins with its start.
      width_bucket(took_ms - 1, report_time_bounds()) as took_class,
      width_bucket(latency_ms::bigint - 1, report_time_bounds()) as latency_class,
      count(*) as count,
      max(took_ms) as took_ms,
      max(latency_ms)::bigint as latency_ms
    from ended
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
  ),
  timed as (
    insert into report_times as t (
      environment, day, merchant_id, product, network, provider, currency, measure, class, count, longest_ms
    )
    select
      c.environment, c.day, c.merchant_id, c.product, c.network, c.provider, c.currency, m.measure, m.class,
      sum(c.count)::bigint, max(m.ms)
    from classed c
    cross join lateral (
      values
        ('final', c.took_class, case when not c.refused then c.took_ms end),
        ('refund', c.took_class, case when not c.refused and not c.delivered then c.took_ms end),
        ('latency', c.latency_class, c.latency_ms)
    ) as m(measure, class, ms)
    where m.ms is not null
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    on conflict (environment, day, merchant_id, product, network, provider, currency, measure, class) do update
    set
      count = t.count + excluded.count,
      longest_ms = greatest(t.longest_ms, excluded.longest_ms)
  ),
  lately as (
    insert into recent_outcomes as r (
      slot, environment, provider, product, network, delivered, latency_class, count, longest_ms
    )
    select
      date_bin('5 minutes', at, timestamptz 'epoch'), environment, provider, product, network, delivered,
      coalesce(width_bucket(latency_ms::bigint - 1, report_time_bounds()), -1), count(*), coalesce(max(latency_ms), 0)::bigint
    from ended
    where not refused
    -- What is older is shown to nobody, and removed (src/reports/mark-store.ts).
    and at >= now() - interval '25 hours'
    group by 1, 2, 3, 4, 5, 6, 7
    on conflict (slot, environment, provider, product, network, delivered, latency_class) do update
    set
      count = r.count + excluded.count,
      longest_ms = greatest(r.longest_ms, excluded.longest_ms)
  )
  select count(*)
  from ended;
$$;
