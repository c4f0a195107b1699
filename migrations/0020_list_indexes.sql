-- no transaction
-- Lists by status, network and recipient are read from outcomes and from the queue, each by one
-- range of one index (docs/decisions/0303-lists-from-outcomes.md). If this file was cut short it
-- runs again: an index that was left half built is dropped first.

-- Outcomes had a network and a recipient only where they had failed. Those of earlier versions are
-- completed by the gateway at its start (src/vending/history/complete-listed-store.ts).
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
drop index concurrently if exists vends_network_idx;

-- The lists of the command line.
drop index concurrently if exists alarms_open_idx;
create index concurrently alarms_open_idx on alarms (id) where acknowledged_at is null;

drop index concurrently if exists audit_log_actor_idx;
create index concurrently audit_log_actor_idx on audit_log (actor, id);

drop index concurrently if exists audit_log_action_idx;
create index concurrently audit_log_action_idx on audit_log (action, id);

drop index concurrently if exists audit_log_kind_idx;
create index concurrently audit_log_kind_idx on audit_log (split_part(action, '.', 1), id);

drop index concurrently if exists audit_log_subject_idx;
create index concurrently audit_log_subject_idx on audit_log (subject, id);

drop index concurrently if exists audit_log_actor_action_idx;
create index concurrently audit_log_actor_action_idx on audit_log (actor, action, id);

drop index concurrently if exists audit_log_actor_kind_idx;
create index concurrently audit_log_actor_kind_idx on audit_log (actor, split_part(action, '.', 1), id);

drop index concurrently if exists deposits_paid_idx;
create index concurrently deposits_paid_idx on deposits (paid_at, id);

drop index concurrently if exists deposits_provider_idx;
create index concurrently deposits_provider_idx on deposits (provider, id);

drop index concurrently if exists deposits_provider_paid_idx;
create index concurrently deposits_provider_paid_idx on deposits (provider, paid_at, id);

drop index concurrently if exists deposits_owner_idx;
create index concurrently deposits_owner_idx on deposits (merchant_id, id);
drop index concurrently if exists deposits_merchant_idx;

drop index concurrently if exists deposits_merchant_paid_idx;
create index concurrently deposits_merchant_paid_idx on deposits (merchant_id, paid_at, id);

drop index concurrently if exists deposit_assignments_merchant_idx;
create index concurrently deposit_assignments_merchant_idx on deposit_assignments (merchant_id, deposit_id);

drop index concurrently if exists catalog_changes_item_idx;
create index concurrently catalog_changes_item_idx on catalog_changes (subject, id);
