-- no transaction
-- Lists by status, network and recipient are read from outcomes and from the queue, each by one
-- range of one index (docs/decisions/0303-lists-from-outcomes.md). If this file was cut short it
-- runs again: an index that was left half built is dropped first.

-- What lists are filtered by. Outcomes had both of failed purchases alone until now. Rows of
-- earlier versions are completed by the gateway at its start
-- (src/vending/history/complete-listed-store.ts).
alter table pending_vends
  add column if not exists network text,
  add column if not exists recipient text;

-- A merchant that sells one network alone must not make every index look equally good: the planner
-- is told that there are many.
alter table pending_vends
  alter column network set (n_distinct = 100),
  alter column recipient set (n_distinct = -0.1);

alter table vend_outcomes
  alter column network set (n_distinct = 100),
  alter column recipient set (n_distinct = -0.1);

alter table vends alter column network set (n_distinct = 100);

drop index concurrently if exists vend_outcomes_network_idx;
create index concurrently vend_outcomes_network_idx on vend_outcomes (merchant_id, environment, status, network, vend_id);

drop index concurrently if exists vend_outcomes_recipient_idx;
create index concurrently vend_outcomes_recipient_idx
  on vend_outcomes (merchant_id, environment, recipient, status, network, vend_id);

-- Those that are still to be completed.
drop index concurrently if exists vend_outcomes_incomplete_idx;
create index concurrently vend_outcomes_incomplete_idx on vend_outcomes (merchant_id) where network is null;

-- Not of those that a process has in hand: they are few, and a sync purchase is in hand at once.
drop index concurrently if exists pending_vends_network_idx;
create index concurrently pending_vends_network_idx on pending_vends (merchant_id, environment, network, vend_id)
  where owner is null;

drop index concurrently if exists pending_vends_recipient_idx;
create index concurrently pending_vends_recipient_idx
  on pending_vends (merchant_id, environment, recipient, network, vend_id)
  where owner is null;

-- What these take the place of.
drop index concurrently if exists vend_outcomes_status_idx;
drop index concurrently if exists vend_outcomes_failed_network_idx;
drop index concurrently if exists vend_outcomes_failed_recipient_idx;
drop index concurrently if exists vends_recipient_network_idx;
