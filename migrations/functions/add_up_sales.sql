-- Adds up the successes from one time to another that p_cut sees and p_seen did not: totals, what
-- providers took at last, and sales at a loss. Gives how many there were, how many of them lost,
-- and whether a guard that stops may have to stop now.
--
-- It runs in the transaction that moves the mark on, under the mark's lock: each sale is added
-- once.
create or replace function add_up_sales(p_from timestamptz, p_to timestamptz, p_seen pg_snapshot, p_cut pg_snapshot)
returns table (sales bigint, losses bigint, stops boolean)
language sql
-- The plan must look rows up by their keys, whatever the statistics say.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  with fresh as materialized (
    select o.merchant_id, o.environment, o.vend_id, coalesce(o.provider, 'none') as provider, o.cost, o.cost_estimated, o.at
    -- Alone, so that they are found by their time, and by no other index.
    from (
      select *, xmin as inserted_by
      from vend_outcomes
      where at >= p_from
      and at < p_to
      offset 0
    ) as o
    where o.status = 'success'
    and o.cost is not null
    and (p_seen is null or not is_seen(o.inserted_by, p_seen))
    and is_seen(o.inserted_by, p_cut)
    -- Costs nothing but after a move.
    and (
      (select not exists (select from rows_added_before where mark = 'sales'))
      or not exists (
        select
        from rows_added_before b
        where b.mark = 'sales'
        and b.key = row_key(concat_ws('/', 'outcome', o.merchant_id, o.vend_id))
      )
    )
  ),
  sold as materialized (
    select
      f.*, v.product, v.network, coalesce(v.plan_code, '') as plan_code, v.face_value, v.charge,
      coalesce(v.details->'item'->>'currency', 'NGN') as currency,
      coalesce((v.details->'item'->>'unitPrice')::bigint * (v.details->'item'->>'quantity')::bigint, v.face_value) as amount,
      -- Of older rows it is not known who said the cost. Where it is what was expected, nobody did,
      -- as far as we know.
      not coalesce(f.cost_estimated, f.cost = coalesce((v.details->>'cost')::bigint, v.face_value)) as is_said
    from fresh f
    join vends v
      on v.merchant_id = f.merchant_id
      and v.environment = f.environment
      and v.id = f.vend_id
  ),
  -- One row for all that differ in nothing that is added up: prices repeat.
  alike as materialized (
    select
      environment, product, network, provider, plan_code, currency, face_value, charge, cost, amount, is_said,
      count(*) as count, max(at) as at
    from sold
    group by environment, product, network, provider, plan_code, currency, face_value, charge, cost, amount, is_said
  ),
  summed as (
    select
      environment,
      product,
      provider,
      sum(count)::bigint as count,
      sum(face_value * count)::bigint as face_value,
      sum(charge * count)::bigint as charge,
      sum(cost * count)::bigint as cost,
      coalesce(sum(count) filter (where not is_said), 0)::bigint as estimated_count,
      sum(cost * count) filter (where not is_said)::bigint as estimated_cost,
      coalesce(sum(count) filter (where is_said and cost > charge), 0)::bigint as loss_count,
      sum((cost - charge) * count) filter (where is_said and cost > charge)::bigint as loss
    from alike
    group by environment, product, provider
  ),
  added as (
    insert into money_totals as t (environment, kind, product, provider, currency, count, amount)
    select s.environment, k.kind, s.product, s.provider, 'NGN', k.count, k.amount
    from summed s
    cross join lateral (
      values
        ('face_value', s.count, s.face_value),
        ('charge', s.count, s.charge),
        ('cost', s.count, s.cost),
        ('estimated_cost', s.estimated_count, s.estimated_cost),
        ('loss', s.loss_count, s.loss)
    ) as k(kind, count, amount)
    where k.count > 0
    on conflict (environment, kind, product, provider, currency) do update
    set
      count = t.count + excluded.count,
      amount = t.amount + excluded.amount
  ),
  learnt as (
    insert into known_costs as k (environment, product, network, provider, plan_code, currency, amount, cost, at)
    select distinct on (environment, product, network, provider, plan_code)
      environment, product, network, provider, plan_code, currency, amount, cost, at
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
  -- With the guard of each: its network's own before that of the product.
  lost as materialized (
    select l.*, coalesce(own.mode, whole.mode, 'alarm') as mode
    from (
      select
        environment, provider, product, network, merchant_id, min(at) as since, max(at) as last_at, count(*) as count,
        sum(charge)::bigint as charge, sum(cost)::bigint as cost, (array_agg(vend_id order by at desc))[1] as last_vend_id
      from sold
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
      environment, provider, product, network, merchant_id, since, last_at, count, charge, cost, last_vend_id
    )
    select environment, provider, product, network, merchant_id, since, last_at, count, charge, cost, last_vend_id
    from lost
    -- Test money is nobody's loss.
    where environment = 'live'
    and mode <> 'off'
    on conflict (environment, provider, product, network, merchant_id) do update
    set
      last_at = excluded.last_at,
      last_vend_id = excluded.last_vend_id,
      -- What somebody has seen is not told again.
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
    (select coalesce(sum(count), 0)::bigint from alike),
    (select coalesce(sum(count), 0)::bigint from lost),
    -- Where a provider takes another share than before, too: by more than a thousandth.
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
        or abs(s.cost::numeric * k.amount - k.cost::numeric * s.amount) * 1000 > k.cost::numeric * s.amount
      )
    );
$$;
