-- The strongest answer of providers about a purchase while it is pending.
--
-- The body is a string. If PostgreSQL kept the body as a tree, as with `return case …`, a column
-- with a default could no longer be added to the table.
create or replace function evidence_of(p pending_purchases) returns text
language sql
immutable
as $$
  select case
    when p.delivered_attempt = p.attempts then 'delivered'
    when p.delivered_attempt is not null then 'delivered_before'
    when p.acknowledged then 'acknowledged'
    else 'none'
  end
$$;
