-- no transaction
-- Long work that goes on in a gateway process (docs/decisions/0354-long-work-goes-on-in-the-gateway.md),
-- and the webhooks of one purchase.

create table if not exists tasks (
  id uuid not null,
  operation text not null,
  -- What it was asked for, without what is long or secret.
  input jsonb not null,
  -- Of the whole input: the same is not run twice at once.
  input_hash bytea not null,
  -- Whether the whole input is stored, so that it can be started again as it was.
  is_whole boolean not null,
  name text not null,
  principal text not null,
  -- Of the process that runs it.
  host text not null,
  pid integer not null,
  started_at timestamptz not null default now(),
  -- The process says so while it lives: one that says nothing has stopped.
  seen_at timestamptz not null default now(),
  step text,
  done bigint,
  unit text,
  -- Null while it runs.
  ended_at timestamptz,
  outcome text,
  output jsonb,
  -- Why it failed or stopped, in words.
  error text,
  constraint tasks_pkey primary key (id),
  constraint tasks_outcome_check check (outcome in ('done', 'failed', 'stopped')),
  constraint tasks_end_check check ((outcome is null) = (ended_at is null))
);

create unique index if not exists tasks_running_key on tasks (operation, input_hash) where ended_at is null;

-- Of the few events that are not what became of a purchase, such as that it is overdue: all others
-- have the id of the purchase, and are found by it.
drop index concurrently if exists webhook_deliveries_vend_idx;
create index concurrently webhook_deliveries_vend_idx on webhook_deliveries (vend_id)
  where vend_id <> event_id;
