-- no transaction
-- Indexes for what lists are filtered by, for what a dead gateway had in hand, and for purchases
-- that could not be sent for too long. They are built beside the traffic. If this file was cut
-- short it runs again: an index that was left half built is dropped first.

-- Of a failed vend, what a list of failed vends is filtered by. Null otherwise, so that a success
-- costs nothing more. Rows of earlier versions are completed by the gateway at its start
-- (src/vending/history/failed-vend-store.ts).
alter table vend_outcomes
  add column if not exists network text,
  add column if not exists recipient text;

drop index concurrently if exists vend_outcomes_failed_network_idx;
create index concurrently vend_outcomes_failed_network_idx on vend_outcomes (merchant_id, environment, network, vend_id)
  where status = 'failed';

drop index concurrently if exists vend_outcomes_failed_recipient_idx;
create index concurrently vend_outcomes_failed_recipient_idx on vend_outcomes (merchant_id, environment, recipient, vend_id)
  where status = 'failed';

-- Those that are still to be completed.
drop index concurrently if exists vend_outcomes_incomplete_idx;
create index concurrently vend_outcomes_incomplete_idx on vend_outcomes (merchant_id)
  where status = 'failed' and network is null;

-- In place of the one by recipient alone: a merchant sells few networks, and each is looked up by
-- itself.
drop index concurrently if exists vends_recipient_network_idx;
create index concurrently vends_recipient_network_idx on vends (merchant_id, environment, recipient, network, id);
drop index concurrently if exists vends_recipient_idx;

drop index concurrently if exists pending_vends_owner_idx;
create index concurrently pending_vends_owner_idx on pending_vends (owner) where owner is not null;

-- The worker claims by lane (0016): another order to choose from would only mislead the planner.
drop index concurrently if exists pending_vends_due_idx;

-- Whether a request waits for its outcome: then it is failed sooner where it cannot be sent.
alter table pending_vends add column if not exists awaited boolean not null default false;

update pending_vends p
set awaited = true
from vends v
where not p.awaited
and v.merchant_id = p.merchant_id
and v.environment = p.environment
and v.id = p.vend_id
and v.mode <> 'async';

-- What waits to be sent, oldest first.
drop index concurrently if exists pending_vends_unsent_idx;
create index concurrently pending_vends_unsent_idx on pending_vends (awaited, created_at)
  where step = 'send' and due_at is not null and flagged_at is null;
