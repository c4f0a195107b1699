-- Reads final purchases whose goods are still queried. The n-th items of the two arrays are the key
-- of one purchase.
create or replace function read_pending_fulfilments(p_merchant_ids integer[], p_purchase_ids uuid[])
returns table (
  merchant_id integer, environment text, purchase_id uuid, wallet_id bigint, charge bigint, age_ms bigint, owed_ms bigint, product text,
  network text, recipient text, face_value bigint, route text, details jsonb, attempt smallint, attempt_provider text,
  attempt_reference text, attempt_age_ms bigint
)
language sql
stable
-- The plan must look rows up by their keys, whatever the statistics say.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  select
    l.merchant_id, l.environment, l.purchase_id, v.wallet_id, v.charge, (extract(epoch from now() - v.created_at) * 1000)::bigint,
    (extract(epoch from now() - l.created_at) * 1000)::bigint, v.product, v.network, v.recipient, v.face_value, v.route, v.details, a.number,
    a.provider, a.reference, (extract(epoch from now() - a.started_at) * 1000)::bigint
  from unnest(p_merchant_ids, p_purchase_ids) as w(merchant_id, purchase_id)
  join pending_fulfilments l
    on l.merchant_id = w.merchant_id
    and l.purchase_id = w.purchase_id
  join purchases v
    on v.merchant_id = l.merchant_id
    and v.environment = l.environment
    and v.id = l.purchase_id
  -- The last attempt is the one that succeeded.
  join lateral (
    select *
    from attempts a
    where a.merchant_id = l.merchant_id
    and a.purchase_id = l.purchase_id
    order by a.number desc
    limit 1
  ) as a on true;
$$;
