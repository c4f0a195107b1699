-- What lists of pending purchases are filtered by. Rows of earlier versions are completed by the
-- gateway at its start (src/vending/history/complete-listed-store.ts).
alter table pending_vends
  add column network text,
  add column recipient text;

-- A merchant that sells one network alone must not make every index look equally good: the planner
-- is told that there are many.
alter table pending_vends
  alter column network set (n_distinct = 100),
  alter column recipient set (n_distinct = -0.1);

alter table vend_outcomes
  alter column network set (n_distinct = 100),
  alter column recipient set (n_distinct = -0.1);
