-- The providers of the lanes in which something is due. The n-th items of the arrays describe one
-- lane; purchases due before its p_due_from are skipped. Reads only the first entry of each waiting
-- merchant, not the whole queue.
create or replace function find_due_providers(p_providers text[], p_steps text[], p_due_from timestamptz[])
returns table (provider text)
language plpgsql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_incremental_sort = off
as $$
#variable_conflict use_column
declare
  v_lane record;
  v_next record;
  v_last integer;
begin
  for v_lane in
    select l.provider, l.step, l.due_from
    from unnest(p_providers, p_steps, p_due_from) as l(provider, step, due_from)
  loop
    v_last := -1;
    loop
      select p.merchant_id, p.due_at
      into v_next
      from pending_purchases p
      where p.provider = v_lane.provider
      and p.step = v_lane.step
      and p.due_at >= v_lane.due_from
      and p.merchant_id > v_last
      order by p.provider, p.step, p.merchant_id, p.due_at
      limit 1;
      exit when v_next.merchant_id is null;
      if v_next.due_at <= now() then
        provider := v_lane.provider;
        return next;
        exit;
      end if;
      v_last := v_next.merchant_id;
    end loop;
  end loop;
end
$$;
