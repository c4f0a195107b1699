-- What providers have said of a purchase while it is pending: the strongest of it.
--
-- Its body is text. With a body that PostgreSQL keeps as a tree, such as `return case …`, no column
-- with a default can be added to the table any more.
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
