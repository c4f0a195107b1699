-- Claims up to p_limit purchases of the provider p_provider that are due at p_step, for the worker
-- p_owner. Merchants are served in turn, beginning with the one after p_after, and the oldest
-- purchase of each comes first. Purchases that were due before p_due_from are skipped. Several
-- workers share the queue: rows that another worker is claiming are skipped without waiting.
--
-- The cost depends on the number of claimed purchases and waiting merchants, not on the length of
-- the queue.
create or replace function claim_lane_purchases(
  p_owner uuid, p_provider text, p_step text, p_limit integer, p_after integer, p_lease_ms bigint,
  p_due_from timestamptz
)
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
  -- The maximum number of merchants per claim. The next claim continues after them.
  c_merchants constant integer := 64;
  -- Another worker may be claiming the first of them at this moment.
  c_spare constant integer := 4;
  v_merchants integer[] := array[]::integer[];
  v_last integer := p_after;
  v_next record;
  v_around boolean := false;
  v_merchant_ids integer[];
  v_purchase_ids uuid[];
begin
  while cardinality(v_merchants) < c_merchants loop
    -- The next merchant, and its first due purchase.
    select p.merchant_id, p.due_at
    into v_next
    from pending_purchases p
    where p.provider = p_provider
    and p.step = p_step
    and p.due_at >= p_due_from
    and p.merchant_id > v_last
    order by p.provider, p.step, p.merchant_id, p.due_at
    limit 1;
    if v_around and (v_next.merchant_id is null or v_next.merchant_id > p_after) then
      exit;
    end if;
    if v_next.merchant_id is null then
      v_around := true;
      v_last := -1;
    else
      -- A merchant whose purchases must all wait takes no turn. Otherwise the merchants after it
      -- would never be served.
      if v_next.due_at <= now() then
        v_merchants := v_merchants || v_next.merchant_id;
      end if;
      v_last := v_next.merchant_id;
    end if;
  end loop;

  if cardinality(v_merchants) = 0 then
    return;
  end if;

  with waiting as materialized (
    select w.merchant_id, w.purchase_id, m.position, row_number() over (partition by m.position order by w.due_at) as turn
    from unnest(v_merchants) with ordinality as m(merchant_id, position)
    cross join lateral (
      select p.merchant_id, p.purchase_id, p.due_at
      from pending_purchases p
      where p.provider = p_provider
      and p.step = p_step
      and p.merchant_id = m.merchant_id
      and p.due_at >= p_due_from
      and p.due_at <= now()
      order by p.due_at
      limit p_limit * c_spare
    ) as w
    order by turn, m.position
    limit p_limit * c_spare
  ),
  taken as (
    select p.merchant_id, p.purchase_id
    from waiting w
    join pending_purchases p
      -- By its key, whatever the statistics say (resolve_purchases).
      on p.merchant_id = any(array[w.merchant_id])
      and p.purchase_id = any(array[w.purchase_id])
    -- In a form that no index serves, so that each row is found by its key.
    where (p.provider = p_provider) is true
    and (p.step = p_step) is true
    and (p.due_at <= now()) is true
    order by w.turn, w.position
    limit p_limit
    for update of p skip locked
  )
  select array_agg(merchant_id), array_agg(purchase_id)
  into v_merchant_ids, v_purchase_ids
  from taken;

  if v_merchant_ids is not null then
    return query
    select *
    from lease_purchases(p_owner, p_step, v_merchant_ids, v_purchase_ids, p_lease_ms);
  end if;
end
$$;
