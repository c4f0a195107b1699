-- The strongest answer of providers about a purchase while it is pending.
create or replace function evidence_of(p_delivered_attempt smallint, p_attempts smallint, p_acknowledged boolean) returns text
language sql
immutable
as $$
  select case
    when p_delivered_attempt = p_attempts then 'delivered'
    when p_delivered_attempt is not null then 'delivered_before'
    when p_acknowledged then 'acknowledged'
    else 'none'
  end
$$;
