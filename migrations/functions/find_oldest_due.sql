-- When the first purchase of a lane that is due at p_due_from or later becomes due, or now if that
-- is in the past. Reads only the first entry of each waiting merchant.
create or replace function find_oldest_due(p_provider text, p_step text, p_due_from timestamptz)
returns timestamptz
language plpgsql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_incremental_sort = off
as $$
#variable_conflict use_column
declare
  v_oldest timestamptz := now();
  v_last integer := -1;
  v_next record;
begin
  loop
    select p.merchant_id, p.due_at
    into v_next
    from pending_purchases p
    where p.provider = p_provider
    and p.step = p_step
    and p.due_at >= p_due_from
    and p.merchant_id > v_last
    order by p.provider, p.step, p.merchant_id, p.due_at
    limit 1;
    exit when v_next.merchant_id is null;
    v_oldest := least(v_oldest, v_next.due_at);
    v_last := v_next.merchant_id;
  end loop;
  return v_oldest;
end
$$;
