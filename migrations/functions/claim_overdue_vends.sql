-- Takes up to p_limit vends that wait to be sent and have waited too long, whoever their provider
-- is and whether it can be called or not: async ones after p_async_ms, others after p_sync_ms.
create or replace function claim_overdue_vends(p_owner uuid, p_limit integer, p_async_ms bigint, p_sync_ms bigint, p_lease_ms bigint)
returns table (
  merchant_id integer, environment text, vend_id uuid, wallet_id bigint, charge bigint, step text, attempts smallint, queries integer,
  not_found smallint, flagged boolean, evidence text, age_ms bigint, reference text, product text, network text, recipient text,
  face_value bigint, route text, details jsonb, mode text, provider text, refused text, attempt_provider text,
  attempt_reference text, attempt_age_ms bigint
)
language plpgsql
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  v_merchant_ids integer[];
  v_vend_ids uuid[];
begin
  with taken as (
    select p.merchant_id, p.vend_id
    from pending_vends p
    join vends v
      on v.merchant_id = p.merchant_id
      and v.environment = p.environment
      and v.id = p.vend_id
    where p.step = 'send'
    and p.due_at is not null
    and p.flagged_at is null
    and p.created_at < now() - least(p_async_ms, p_sync_ms) * interval '1 millisecond'
    and p.created_at < now() - case v.mode when 'async' then p_async_ms else p_sync_ms end * interval '1 millisecond'
    limit p_limit
    for update of p skip locked
  )
  select array_agg(merchant_id), array_agg(vend_id)
  into v_merchant_ids, v_vend_ids
  from taken;

  if v_merchant_ids is not null then
    return query
    select *
    from lease_vends(p_owner, 'send', v_merchant_ids, v_vend_ids, p_lease_ms);
  end if;
end
$$;
