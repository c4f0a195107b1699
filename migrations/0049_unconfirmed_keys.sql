-- A restored database may have keys that were revoked in the time that it lost. Each waits until an
-- operator confirms it; null: it does not wait.
alter table credentials
  add column unconfirmed_at timestamptz;
create index credentials_unconfirmed_idx on credentials (key_id) where unconfirmed_at is not null;
