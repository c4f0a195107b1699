-- Leases the given purchases to the worker p_owner for p_lease_ms. The caller has locked their
-- rows, and all are at p_step. No other worker can claim them during the lease.
--
-- A purchase whose step is 'send' leaves this function with step 'query' and a new attempt number:
-- the caller stores the attempt in the same transaction and calls only after the commit. So after
-- any crash, a purchase that may have been sent is only queried.
create or replace function lease_purchases(p_owner uuid, p_step text, p_merchant_ids integer[], p_purchase_ids uuid[], p_lease_ms bigint)
returns table (
  merchant_id integer, environment text, purchase_id uuid, wallet_id bigint, charge bigint, step text, attempts smallint, queries integer,
  not_found smallint, flagged boolean, evidence text, age_ms bigint, reference text, product text, network text, recipient text,
  face_value bigint, route text, details jsonb, mode text, provider text, refused text, attempt_provider text,
  attempt_reference text, attempt_age_ms bigint
)
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
  return query
  with claimed as (
    update pending_purchases p
    set
      step = 'query',
      attempts = p.attempts + case p_step when 'send' then 1 else 0 end,
      due_at = now() + p_lease_ms * interval '1 millisecond',
      owner = p_owner
    from unnest(p_merchant_ids, p_purchase_ids) as k(merchant_id, purchase_id)
    -- By its key, whatever the statistics say (resolve_purchases).
    where p.merchant_id = any(array[k.merchant_id])
    and p.purchase_id = any(array[k.purchase_id])
    returning p.*, evidence_of(p.delivered_attempt, p.attempts, p.acknowledged) as evidence
  )
  select
    c.merchant_id, c.environment, c.purchase_id, c.wallet_id, c.charge, p_step, c.attempts, c.queries, c.not_found,
    c.flagged_at is not null, c.evidence, (extract(epoch from now() - c.created_at) * 1000)::bigint, v.reference, v.product,
    v.network, v.recipient, v.face_value, v.route, v.details, v.mode,
    coalesce(c.provider, split_part(v.route, ',', 1)),
    case
      when c.attempts > 1 then
        (
          select string_agg(distinct t.provider, ',')
          from provider_answers said
          join attempts t
            on t.merchant_id = said.merchant_id
            and t.purchase_id = said.purchase_id
            and t.number = said.attempt
          where said.merchant_id = c.merchant_id
          and said.purchase_id = c.purchase_id
          and said.kind = 'failed'
          and said.attempt < c.attempts
        )
    end,
    a.provider, a.reference, (extract(epoch from now() - a.started_at) * 1000)::bigint
  from claimed c
  join purchases v
    on v.merchant_id = c.merchant_id
    and v.environment = c.environment
    and v.id = c.purchase_id
  -- By its key: without "offset 0" the planner reads the whole joined view.
  left join lateral (
    select t.provider, t.reference, t.started_at
    from attempts t
    where t.merchant_id = c.merchant_id
    and t.purchase_id = c.purchase_id
    and t.number = c.attempts
    offset 0
  ) as a on true;
end
$$;
