-- Counts the purchases that wait to be sent to each provider, and to be queried there. p_limit
-- stands for any higher number. Purchases that a process has claimed at this moment are not
-- counted.
create or replace function count_waiting_purchases(p_providers text[], p_limit integer)
returns table (provider text, to_send integer, to_ask integer)
language sql
stable
set enable_seqscan = off
set enable_bitmapscan = off
as $$
  select
    w.provider,
    (
      select count(*)::integer
      from (
        select
        from pending_purchases p
        where p.provider = w.provider
        and p.step = 'send'
        and p.due_at is not null
        limit p_limit
      ) as sending
    ),
    (
      select count(*)::integer
      from (
        select
        from pending_purchases p
        where p.provider = w.provider
        and p.step = 'query'
        and p.due_at is not null
        limit p_limit
      ) as asking
    )
  from unnest(p_providers) as w(provider)
$$;
