-- Adds the purchases that became final between two times to all sums: reports by day, the slots of
-- the last day, totals of money, known costs and sales at a loss. Returns how many there were, how
-- many of them lost money, and whether a guard that pauses sales may have to act now.
--
-- It runs in the transaction that moves the checkpoint, under the roll-up's lock, so each purchase
-- is added once (src/finance/reports/roll-up.ts). A purchase belongs to the Lagos day of its
-- outcome, whose time is also that of its transfers.
create or replace function roll_up_purchases(p_from timestamptz, p_to timestamptz)
returns table (purchases bigint, losses bigint, stops boolean)
language sql
-- The plan must look rows up by their keys, whatever the statistics say.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  with ended as materialized (
    select
      o.at, o.attempt, o.answer_kind, o.answer_code, o.environment, lagos_day(o.at) as day, lagos_day(v.created_at) as accepted_day, o.merchant_id, o.purchase_id,
      v.product, v.network, plan_kind_of(v.product, v.details) as plan_kind, coalesce(o.provider, 'none') as provider,
      coalesce(a.currency, 'NGN') as currency,
      o.status = 'success' as delivered,
      -- No provider: refused at accept, before anything was held.
      o.status = 'failed' and o.provider is null as refused,
      -- A success whose provider reported its charge.
      o.status = 'success' and o.cost is not null and not coalesce(o.cost_estimated, true) as is_said,
      v.face_value, v.charge, o.cost,
      greatest((extract(epoch from o.at - v.created_at) * 1000)::bigint, 0) as took_ms,
      -- Usually the answer to the order decided.
      case
        when o.answer_source = 'purchase' and o.answer_latency_ms is not null then o.answer_latency_ms
        else (
          select latency_ms
          from further_answers
          where merchant_id = o.merchant_id
          and purchase_id = o.purchase_id
          and source = 'purchase'
          and latency_ms is not null
          order by attempt desc, at desc
          limit 1
        )
      end as latency_ms,
      v.created_at < ((lagos_day(v.created_at) + 1)::timestamp - interval '1 hour 30 seconds') at time zone 'UTC' as waited,
      -- Airtime has no plan; its kind is stored here if it is not the usual one.
      coalesce(v.plan_code, v.details->>'kind', '') as plan_code,
      coalesce(v.details->'item'->>'currency', 'NGN') as item_currency,
      coalesce((v.details->'item'->>'unitPrice')::bigint * (v.details->'item'->>'quantity')::bigint, v.face_value) as item_amount
    -- In a query of its own, so that they are found by their time and not by another index.
    from (
      select *
      from purchase_outcomes
      where at >= p_from
      and at < p_to
      offset 0
    ) as o
    join purchases v
      on v.merchant_id = o.merchant_id
      and v.environment = o.environment
      and v.id = o.purchase_id
    left join accounts a on a.id = v.wallet_id
  ),
  sold as (
    insert into report_sales as s (
      environment, day, accepted_day, merchant_id, product, network, plan_kind, provider, currency, successes, failures, refused,
      face_value, charge, cost, estimated_cost, losses, loss, held, waited
    )
    select
      environment, day, least(accepted_day, day), merchant_id, product, network, plan_kind, provider, currency,
      count(*) filter (where delivered),
      count(*) filter (where not delivered),
      count(*) filter (where refused),
      coalesce(sum(face_value) filter (where delivered), 0)::bigint,
      coalesce(sum(charge) filter (where delivered), 0)::bigint,
      coalesce(sum(cost) filter (where delivered), 0)::bigint,
      coalesce(sum(cost) filter (where delivered and not is_said), 0)::bigint,
      count(*) filter (where delivered and cost > charge),
      coalesce(sum(cost - charge) filter (where delivered and cost > charge), 0)::bigint,
      coalesce(sum(charge) filter (where not refused), 0)::bigint,
      count(*) filter (where waited and not refused)
    from ended
    group by environment, day, least(accepted_day, day), merchant_id, product, network, plan_kind, provider, currency
    on conflict (environment, day, accepted_day, merchant_id, product, network, plan_kind, provider, currency) do update
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
  -- There are few groups, so each purchase is read once for all measures.
  classed as (
    select
      environment, day, merchant_id, product, network, plan_kind, provider, currency, refused, delivered,
      -- Including its end: one less than the number of the class that begins with its start.
      width_bucket(took_ms - 1, report_time_bounds()) as took_class,
      width_bucket(latency_ms::bigint - 1, report_time_bounds()) as latency_class,
      count(*) as count,
      max(took_ms) as took_ms,
      max(latency_ms)::bigint as latency_ms
    from ended
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
  ),
  timed as (
    insert into report_times as t (
      environment, day, merchant_id, product, network, plan_kind, provider, currency, measure, class, count, longest_ms
    )
    select
      c.environment, c.day, c.merchant_id, c.product, c.network, c.plan_kind, c.provider, c.currency, m.measure, m.class,
      sum(c.count)::bigint, max(m.ms)
    from classed c
    cross join lateral (
      values
        ('final', c.took_class, case when not c.refused then c.took_ms end),
        ('refund', c.took_class, case when not c.refused and not c.delivered then c.took_ms end),
        ('latency', c.latency_class, c.latency_ms)
    ) as m(measure, class, ms)
    where m.ms is not null
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    on conflict (environment, day, merchant_id, product, network, plan_kind, provider, currency, measure, class) do update
    set
      count = t.count + excluded.count,
      longest_ms = greatest(t.longest_ms, excluded.longest_ms)
  ),
  -- The attempt that decided, and the attempts before it whose provider refused or was not reached.
  tried as (
    select
      environment, day, provider, product, network, delivered, is_said, face_value, cost, took_ms,
      -- Few take that long, and only those are looked up.
      case
        when took_ms <= 600000 then false
        else exists (
          select
          from attempts a
          where a.merchant_id = ended.merchant_id
          and a.purchase_id = ended.purchase_id
          and a.number = ended.attempt
          and ended.at - a.started_at > interval '10 minutes'
        )
      end as long_unknown
    from ended
    where attempt is not null
    and (answer_kind <> 'not_sent' or answer_code = 'unreachable')
    union all
    select e.environment, e.day, a.provider, e.product, e.network, false, false, null, null, 0, false
    from ended e
    cross join lateral generate_series(1, e.attempt - 1) as earlier(number)
    join attempts a
      on a.merchant_id = e.merchant_id
      and a.purchase_id = e.purchase_id
      and a.number = earlier.number
    where e.attempt > 1
    and exists (
      select
      from provider_answers said
      where said.merchant_id = e.merchant_id
      and said.purchase_id = e.purchase_id
      and said.attempt = a.number
      and (said.kind = 'failed' or (said.kind = 'not_sent' and said.code = 'unreachable'))
    )
  ),
  measured as (
    insert into provider_days as d (
      environment, day, provider, product, network, delivered, refused, long_unknown, final_ms, face_value, cost
    )
    select
      environment, day, provider, product, network,
      count(*) filter (where delivered),
      count(*) filter (where not delivered),
      count(*) filter (where long_unknown),
      coalesce(sum(least(took_ms, 600000)) filter (where delivered), 0)::bigint,
      coalesce(sum(face_value) filter (where delivered and is_said), 0)::bigint,
      coalesce(sum(cost) filter (where delivered and is_said), 0)::bigint
    from tried
    group by environment, day, provider, product, network
    on conflict (environment, day, provider, product, network) do update
    set
      delivered = d.delivered + excluded.delivered,
      refused = d.refused + excluded.refused,
      long_unknown = d.long_unknown + excluded.long_unknown,
      final_ms = d.final_ms + excluded.final_ms,
      face_value = d.face_value + excluded.face_value,
      cost = d.cost + excluded.cost
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
    -- Older slots are never shown (src/finance/reports/recent-store.ts).
    and at >= now() - interval '25 hours'
    group by 1, 2, 3, 4, 5, 6, 7
    on conflict (slot, environment, provider, product, network, delivered, latency_class) do update
    set
      count = r.count + excluded.count,
      longest_ms = greatest(r.longest_ms, excluded.longest_ms)
  ),
  -- One row for all sales that do not differ in any added value: prices repeat.
  alike as materialized (
    select
      environment, product, network, provider, plan_code, item_currency, charge, cost, item_amount, is_said,
      count(*) as count, max(at) as at
    from ended
    where delivered
    and cost is not null
    group by environment, product, network, provider, plan_code, item_currency, charge, cost, item_amount, is_said
  ),
  summed as (
    select
      environment,
      product,
      provider,
      sum(charge * count)::bigint as charge,
      sum(cost * count)::bigint as cost,
      sum((cost - charge) * count) filter (where is_said and cost > charge)::bigint as loss
    from alike
    group by environment, product, provider
  ),
  added as (
    insert into money_totals as t (environment, kind, product, provider, amount)
    select s.environment, k.kind, s.product, s.provider, k.amount
    from summed s
    cross join lateral (
      values
        ('charge', s.charge),
        ('cost', s.cost),
        ('loss', s.loss)
    ) as k(kind, amount)
    where k.amount is not null
    on conflict (environment, kind, product, provider) do update
    set amount = t.amount + excluded.amount
  ),
  learnt as (
    insert into known_costs as k (environment, product, network, provider, plan_code, currency, amount, cost, at)
    select distinct on (environment, product, network, provider, plan_code)
      environment, product, network, provider, plan_code, item_currency, item_amount, cost, at
    from alike
    where is_said
    order by environment, product, network, provider, plan_code, at desc
    on conflict (environment, product, network, provider, plan_code) do update
    set
      currency = excluded.currency,
      amount = excluded.amount,
      cost = excluded.cost,
      at = excluded.at
    where k.at <= excluded.at
  ),
  -- Each with its guard: a guard of its network takes precedence over one of the product.
  lost as materialized (
    select l.*, coalesce(own.mode, whole.mode, 'alarm') as mode
    from (
      select
        environment, provider, product, network, merchant_id, min(at) as since, max(at) as last_at, count(*) as count,
        sum(charge)::bigint as charge, sum(cost)::bigint as cost, (array_agg(purchase_id order by at desc))[1] as last_purchase_id
      from ended
      where is_said
      and cost > charge
      group by environment, provider, product, network, merchant_id
    ) as l
    left join guards own
      on own.environment = l.environment
      and own.product = l.product
      and own.network = l.network
    left join guards whole
      on whole.environment = l.environment
      and whole.product = l.product
      and whole.network = '*'
  ),
  noted as (
    insert into sale_losses as s (
      environment, provider, product, network, merchant_id, since, last_at, count, charge, cost, last_purchase_id
    )
    select environment, provider, product, network, merchant_id, since, last_at, count, charge, cost, last_purchase_id
    from lost
    -- A loss of test money costs nothing.
    where environment = 'live'
    and mode <> 'off'
    on conflict (environment, provider, product, network, merchant_id) do update
    set
      last_at = excluded.last_at,
      last_purchase_id = excluded.last_purchase_id,
      -- An acknowledged loss is not reported again.
      (since, count, charge, cost, alarm_id, told) = (
        select
          case when a.open then s.since else excluded.since end,
          case when a.open then s.count else 0 end + excluded.count,
          case when a.open then s.charge else 0 end + excluded.charge,
          case when a.open then s.cost else 0 end + excluded.cost,
          case when a.open then s.alarm_id end,
          case when a.open then s.told else 0 end
        from (
          select exists (
            select
            from alarms
            where id = s.alarm_id
            and acknowledged_at is null
          ) as open
        ) as a
      )
  )
  select
    (select count(*) from ended),
    (select coalesce(sum(count), 0)::bigint from lost),
    -- Also if a provider takes a different share than before: by more than a thousandth.
    exists (
      select
      from guards g
      join alike s
        on s.environment = g.environment
        and s.product = g.product
        and g.network in (s.network, '*')
      left join known_costs k
        on k.environment = s.environment
        and k.product = s.product
        and k.network = s.network
        and k.provider = s.provider
        and k.plan_code = s.plan_code
      where g.mode = 'stop'
      and s.is_said
      and (
        s.cost > s.charge
        or k.cost is null
        or abs(s.cost::numeric * k.amount - k.cost::numeric * s.item_amount) * 1000 > k.cost::numeric * s.item_amount
      )
    );
$$;
