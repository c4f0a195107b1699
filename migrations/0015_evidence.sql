-- What providers have said of a vend while it is pending. It is never forgotten: after a provider has
-- said that it delivered, no answer brings the money back.
alter table pending_vends
  -- The attempt whose provider said success, though not all of it: goods are missing, or another
  -- attempt was made already.
  add column delivered_attempt smallint,
  -- The provider of the present attempt said that it has the order.
  add column acknowledged boolean not null default false,
  -- When an answer contradicted the success that was said. The alarm is raised once.
  add column contradicted_at timestamptz;

create function evidence_of(p pending_vends) returns text
language sql
immutable
return case
  when p.delivered_attempt = p.attempts then 'delivered'
  when p.delivered_attempt is not null then 'delivered_before'
  when p.acknowledged then 'acknowledged'
  else 'none'
end;
