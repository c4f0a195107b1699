-- A lane for each provider: the worker takes from the queue what one provider can take, and no more.

-- Whom the vend is sent to next, or who is asked about its present attempt.
alter table pending_vends add column provider text;

update pending_vends p
set provider = coalesce(
  (
    select a.provider
    from attempts a
    where p.step = 'query'
    and a.merchant_id = p.merchant_id
    and a.vend_id = p.vend_id
    and a.number = p.attempts
  ),
  (
    select r.providers[p.attempts % cardinality(r.providers) + 1]
    from vends v
    cross join lateral (select string_to_array(v.route, ',') as providers) r
    where v.merchant_id = p.merchant_id
    and v.environment = p.environment
    and v.id = p.vend_id
  )
);

-- By merchant: those of one provider are served in turn.
create index pending_vends_lane_idx on pending_vends (provider, step, merchant_id, due_at) where due_at is not null;

-- What the process can call. Empty for one of a version before, which is taken to call them all.
alter table gateways add column providers text[] not null default '{}';

drop function if exists claim_due_vends(uuid, integer, bigint);
