-- Reads the successes at a provider that are due to be queried again at an age: those of the minute
-- after the last queried one, up to a time, in order. Only the blocks of that minute are read,
-- however long the history is.
create or replace function read_success_rechecks(
  p_provider text, p_age_minutes integer, p_until timestamptz, p_limit integer
)
returns table (
  merchant_id integer, environment text, purchase_id uuid, wallet_id bigint, charge bigint, age_ms bigint, product text, network text,
  recipient text, face_value bigint, route text, details jsonb, attempt smallint, attempt_provider text, attempt_reference text,
  attempt_age_ms bigint, success_at text
)
language sql
stable
-- The plan must look rows up by their keys, whatever the statistics say.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  select
    v.merchant_id, v.environment, v.id, v.wallet_id, v.charge, (extract(epoch from now() - v.created_at) * 1000)::bigint, v.product,
    v.network, v.recipient, v.face_value, v.route, v.details, a.number, a.provider, a.reference,
    (extract(epoch from now() - a.started_at) * 1000)::bigint, o.at::text
  from success_rechecks s
  cross join lateral (
    select *
    -- In a query of its own, so that they are found by their time and not by another index.
    from (
      select *
      from purchase_outcomes
      where at >= s.last_at
      and at < least(s.last_at + interval '1 minute', p_until)
      offset 0
    ) as o
    where (o.at, o.merchant_id, o.purchase_id) > (s.last_at, s.last_merchant_id, s.last_purchase_id)
    and o.provider = s.provider
    and o.status = 'success'
    order by o.at, o.merchant_id, o.purchase_id
    limit p_limit
  ) as o
  join purchases v
    on v.merchant_id = o.merchant_id
    and v.environment = o.environment
    and v.id = o.purchase_id
  -- The last attempt is the one that succeeded.
  join lateral (
    select *
    from attempts a
    where a.merchant_id = o.merchant_id
    and a.purchase_id = o.purchase_id
    order by a.number desc
    limit 1
  ) as a on true
  where s.provider = p_provider
  and s.age_minutes = p_age_minutes
  order by o.at, o.merchant_id, o.purchase_id;
$$;
