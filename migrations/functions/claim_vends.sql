-- Claims vends that are due for the worker p_owner, oldest first, each for p_lease_ms. Nobody else
-- sees them meanwhile. Several workers share the queue: rows that another worker is claiming are
-- skipped, never waited for.
--
-- A vend whose step is 'send' leaves this function with step 'query' and a new attempt number. The
-- caller stores the attempt in the same transaction, and calls the provider only after the commit.
-- So after any crash, a vend that may have been sent is only ever queried.
create or replace function claim_vends(p_owner uuid, p_limit integer, p_lease_ms bigint)
returns table (
  merchant_id integer, environment text, vend_id uuid, wallet_id bigint, charge bigint, step text, attempts smallint, queries integer,
  not_found smallint, flagged boolean, age_ms bigint, reference text, product text, network text, recipient text, face_value bigint,
  route text, details jsonb, attempt_provider text, attempt_reference text, attempt_age_ms bigint
)
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
  return query
  with due as materialized (
    select p.merchant_id, p.vend_id, p.step
    from pending_vends p
    where p.due_at <= now()
    order by p.due_at
    limit p_limit
    for update skip locked
  ),
  claimed as (
    update pending_vends p
    set
      step = 'query',
      attempts = p.attempts + case due.step when 'send' then 1 else 0 end,
      due_at = now() + p_lease_ms * interval '1 millisecond',
      owner = p_owner
    from due
    -- By its key, whatever the statistics say (resolve_vends).
    where p.merchant_id = any(array[due.merchant_id])
    and p.vend_id = any(array[due.vend_id])
    returning p.*, due.step as claimed_step
  )
  select
    c.merchant_id, c.environment, c.vend_id, c.wallet_id, c.charge, c.claimed_step, c.attempts, c.queries,
    c.not_found, c.flagged_at is not null, (extract(epoch from now() - c.created_at) * 1000)::bigint, v.reference, v.product, v.network,
    v.recipient, v.face_value, v.route, v.details, a.provider, a.reference, (extract(epoch from now() - a.started_at) * 1000)::bigint
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
