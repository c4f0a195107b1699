-- Reroutes purchases that wait for the provider p_from and were due p_waited_ms ago. Each goes to
-- the first provider of p_to that is in its route and has not refused it, at most p_limits[n] to
-- the n-th.
--
-- Looks at some thousand purchases of the lane, from the position (p_merchant, p_due) on. Returns
-- how many went to each, and the position where the next call continues; null if the end was
-- reached.
create or replace function reroute_purchases(
  p_from text, p_to text[], p_limits integer[], p_waited_ms bigint, p_merchant integer, p_due timestamptz
)
returns table (provider text, moved integer, next_merchant integer, next_due timestamptz)
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  -- More than are ever stored at one moment, so that each call makes progress.
  c_looked constant integer := 2000;
  v_looked integer;
  v_merchant integer;
  v_due timestamptz;
begin
  select count(*), (array_agg(place.merchant_id))[count(*)], (array_agg(place.due_at))[count(*)]
  into v_looked, v_merchant, v_due
  from (
    select p.merchant_id, p.due_at
    from pending_purchases p
    where p.provider = p_from
    and p.step = 'send'
    and p.due_at is not null
    and (p.merchant_id, p.due_at) >= (p_merchant, p_due)
    order by p.provider, p.step, p.merchant_id, p.due_at
    limit c_looked
  ) as place;

  if v_looked = 0 then
    return;
  end if;

  return query
  with waiting as materialized (
    select p.merchant_id, p.environment, p.purchase_id, p.due_at, p.attempts
    from pending_purchases p
    where p.provider = p_from
    and p.step = 'send'
    and (p.merchant_id, p.due_at) between (p_merchant, p_due) and (v_merchant, v_due)
    and p.due_at <= now() - p_waited_ms * interval '1 millisecond'
  ),
  chosen as (
    select w.merchant_id, w.purchase_id, w.due_at, choice.provider, choice.most
    from waiting w
    join purchases v
      on v.merchant_id = w.merchant_id
      and v.environment = w.environment
      and v.id = w.purchase_id
    cross join lateral (
      select t.provider, t.most
      from unnest(p_to, p_limits) as t(provider, most)
      where t.provider = any(string_to_array(v.route, ','))
      and (
        w.attempts = 0
        or not exists (
          select
          from provider_answers said
          join attempts a
            on a.merchant_id = said.merchant_id
            and a.purchase_id = said.purchase_id
            and a.number = said.attempt
          where said.merchant_id = w.merchant_id
          and said.purchase_id = w.purchase_id
          and said.kind = 'failed'
          and a.provider = t.provider
        )
      )
      order by array_position(string_to_array(v.route, ','), t.provider)
      limit 1
    ) as choice
  ),
  fitting as (
    select c.merchant_id, c.purchase_id, c.provider
    from (
      select *, row_number() over (partition by provider order by due_at) as place
      from chosen
    ) as c
    where c.place <= c.most
  ),
  free as materialized (
    select p.merchant_id, p.purchase_id, f.provider
    from fitting f
    join pending_purchases p
      -- By its key, whatever the statistics say (resolve_purchases).
      on p.merchant_id = any(array[f.merchant_id])
      and p.purchase_id = any(array[f.purchase_id])
    -- In a form that no index serves, so that each row is found by its key.
    where (p.provider = p_from) is true
    and (p.step = 'send') is true
    for update of p skip locked
  ),
  rerouted as (
    update pending_purchases p
    set
      provider = f.provider,
      -- As if it had just come: claims skip purchases that were due long before.
      due_at = now()
    from free f
    -- By its key, whatever the statistics say (resolve_purchases).
    where p.merchant_id = any(array[f.merchant_id])
    and p.purchase_id = any(array[f.purchase_id])
    returning p.provider
  ),
  counted as (
    select d.provider, count(*)::integer as moved
    from rerouted d
    group by d.provider
  )
  select
    c.provider,
    coalesce(c.moved, 0),
    case when v_looked = c_looked then v_merchant end,
    case when v_looked = c_looked then v_due end
  from (select) as always
  left join counted c on true;
end
$$;
