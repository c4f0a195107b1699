-- Processes of 0.1.0 ask for late goods and for funding accounts under the names of before.

-- Their resolve_aside, until it is replaced, counts questions here; and so does their claim.
alter table late_goods add column queries integer not null default 0;

create function claim_late_goods(p_limit integer, p_lease_ms bigint)
returns table (
  merchant_id integer, environment text, vend_id uuid, wallet_id bigint, charge bigint, queries integer, age_ms bigint, product text,
  network text, recipient text, face_value bigint, route text, details jsonb, attempt smallint, attempt_provider text,
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
  with due as materialized (
    select l.merchant_id, l.vend_id
    from late_goods l
    where l.due_at <= now()
    order by l.due_at
    limit p_limit
    for update skip locked
  ),
  claimed as (
    update late_goods l
    set due_at = now() + p_lease_ms * interval '1 millisecond'
    from due
    where l.merchant_id = due.merchant_id
    and l.vend_id = due.vend_id
    returning l.*
  )
  select
    c.merchant_id, c.environment, c.vend_id, v.wallet_id, v.charge, c.queries, (extract(epoch from now() - v.created_at) * 1000)::bigint, v.product,
    v.network, v.recipient, v.face_value, v.route, v.details, a.number, a.provider,
    a.reference, (extract(epoch from now() - a.started_at) * 1000)::bigint
  from claimed c
  join vends v
    on v.merchant_id = c.merchant_id
    and v.environment = c.environment
    and v.id = c.vend_id
  -- The last attempt is the one that delivered.
  join lateral (
    select *
    from attempts a
    where a.merchant_id = c.merchant_id
    and a.vend_id = c.vend_id
    order by a.number desc
    limit 1
  ) as a on true;
end
$$;

-- What they write of a lease is written as this version writes it, and the other way round.
alter table funding_accounts
  add column asked integer not null default 0,
  add column asking_until timestamptz;

update funding_accounts
set
  asked = tries,
  asking_until = case when lease_id is not null then due_at end;

create function translate_funding_lease() returns trigger
language plpgsql
as $$
begin
  if new.asking_until is distinct from (case tg_op when 'UPDATE' then old.asking_until end)
    or new.asked is distinct from (case tg_op when 'UPDATE' then old.asked else 0 end)
  then
    new.tries := new.asked;
    new.lease_id := case when new.asking_until is not null then gen_random_uuid() end;
  else
    new.asked := new.tries;
    new.asking_until := case when new.lease_id is not null then new.due_at end;
  end if;
  return new;
end
$$;

create trigger funding_accounts_translate_lease
before insert or update on funding_accounts
for each row
execute function translate_funding_lease();
