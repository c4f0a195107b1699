-- Gives the worker p_owner the vends named, whose rows it has locked and which all are at p_step,
-- for p_lease_ms; nobody else sees them meanwhile.
--
-- A vend whose step is 'send' leaves this function with step 'query' and a new attempt number: the
-- caller stores the attempt in the same transaction and calls only after the commit. So whatever
-- dies, a vend that may have been sent is only ever asked about.
create or replace function lease_vends(p_owner uuid, p_step text, p_merchant_ids integer[], p_vend_ids uuid[], p_lease_ms bigint)
returns table (
  merchant_id integer, environment text, vend_id uuid, wallet_id bigint, charge bigint, step text, attempts smallint, queries integer,
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
    update pending_vends p
    set
      step = 'query',
      attempts = p.attempts + case p_step when 'send' then 1 else 0 end,
      due_at = now() + p_lease_ms * interval '1 millisecond',
      owner = p_owner
    from unnest(p_merchant_ids, p_vend_ids) as k(merchant_id, vend_id)
    -- By its key, whatever the statistics say (resolve_vends).
    where p.merchant_id = any(array[k.merchant_id])
    and p.vend_id = any(array[k.vend_id])
    returning p.*, evidence_of(p) as evidence
  )
  select
    c.merchant_id, c.environment, c.vend_id, c.wallet_id, c.charge, p_step, c.attempts, c.queries, c.not_found,
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
            and t.vend_id = said.vend_id
            and t.number = said.attempt
          where said.merchant_id = c.merchant_id
          and said.vend_id = c.vend_id
          and said.kind = 'failed'
          and said.attempt < c.attempts
        )
    end,
    a.provider, a.reference, (extract(epoch from now() - a.started_at) * 1000)::bigint
  from claimed c
  join vends v
    on v.merchant_id = c.merchant_id
    and v.environment = c.environment
    and v.id = c.vend_id
  left join attempts a
    on a.merchant_id = c.merchant_id
    and a.vend_id = c.vend_id
    and a.number = c.attempts;
end
$$;
