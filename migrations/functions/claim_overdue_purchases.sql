-- Claims up to p_limit purchases that have waited too long to be sent, whatever their provider and
-- whether or not it can be called: async ones after p_async_ms, others after p_sync_ms.
--
-- The cost depends on the number of claimed purchases, not on the length of the queue.
create or replace function claim_overdue_purchases(p_owner uuid, p_limit integer, p_async_ms bigint, p_sync_ms bigint, p_lease_ms bigint)
returns table (
  merchant_id integer, environment text, purchase_id uuid, wallet_id bigint, charge bigint, step text, attempts smallint, queries integer,
  not_found smallint, flagged boolean, evidence text, age_ms bigint, reference text, product text, network text, recipient text,
  face_value bigint, route text, details jsonb, mode text, provider text, refused text, attempt_provider text,
  attempt_reference text, attempt_age_ms bigint
)
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_incremental_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  v_merchant_ids integer[];
  v_purchase_ids uuid[];
begin
  with taken as (
    select o.merchant_id, o.purchase_id
    from (values (false, p_async_ms), (true, p_sync_ms)) as patience(awaited, ms)
    cross join lateral (
      select p.merchant_id, p.purchase_id
      from pending_purchases p
      where p.step = 'send'
      and p.due_at is not null
      and p.flagged_at is null
      and p.awaited = patience.awaited
      and p.created_at < now() - patience.ms * interval '1 millisecond'
      order by p.created_at
      limit p_limit
      for update skip locked
    ) as o
    limit p_limit
  )
  select array_agg(merchant_id), array_agg(purchase_id)
  into v_merchant_ids, v_purchase_ids
  from taken;

  if v_merchant_ids is not null then
    return query
    select *
    from lease_purchases(p_owner, 'send', v_merchant_ids, v_purchase_ids, p_lease_ms);
  end if;
end
$$;
