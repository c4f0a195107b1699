-- no transaction
-- The restore fence: a database that is an earlier state, or a copy, sells nothing until it is known
-- what providers delivered since (docs/operators/restore.md).

-- One row: which database this is, and how far it has lived. Whoever saw it live further than it
-- says knows that it went back.
create table if not exists database_life (
  one boolean not null default true check (one),
  -- Of the server that the database lives in, and of the database there.
  system_identifier text not null,
  database_oid bigint not null,
  -- Goes up while any gateway runs, once a second at most.
  beats bigint not null default 0,
  at timestamptz not null default now(),
  constraint database_life_pkey primary key (one)
) with (fillfactor = 20);

create table if not exists restore_fences (
  id uuid not null,
  cause text not null check (cause in ('restored', 'copied', 'went_back', 'by_hand')),
  -- What it was raised for, so that the same is not raised twice.
  source text not null,
  reason text not null,
  -- What was stored after this may be missing.
  lost_from timestamptz not null,
  raised_at timestamptz not null default now(),
  raised_by text not null,
  -- Null while it is up.
  lifted_at timestamptz,
  lifted_by text,
  constraint restore_fences_pkey primary key (id),
  constraint restore_fences_source_key unique (source)
);

-- One is up at a time.
create unique index if not exists restore_fences_up_idx on restore_fences ((true)) where lifted_at is null;

-- What was asked of each provider while a fence is up.
create table if not exists reconciled_providers (
  fence_id uuid not null references restore_fences,
  provider text not null,
  listed_from timestamptz not null,
  listed_until timestamptz not null,
  -- asked: the provider's own list. file: a statement of it.
  source text not null check (source in ('asked', 'file')),
  orders integer not null,
  at timestamptz not null default now(),
  constraint reconciled_providers_pkey primary key (fence_id, provider)
);

-- Orders that a provider listed and that were not known here.
create table if not exists found_orders (
  provider text not null,
  reference text not null,
  fence_id uuid not null references restore_fences,
  -- entered: its purchase was entered. attempt: it was recorded at a purchase that is known. left: a person must decide. dismissed: a person put it aside.
  verdict text not null check (verdict in ('entered', 'attempt', 'left', 'dismissed')),
  -- Of what is left: why.
  reason text not null default '',
  merchant_id integer,
  vend_id uuid,
  -- The order as it was listed.
  listed jsonb not null,
  at timestamptz not null default now(),
  constraint found_orders_pkey primary key (provider, reference)
);

create index if not exists found_orders_vend_idx on found_orders (merchant_id, vend_id);
create index if not exists found_orders_left_idx on found_orders (fence_id) where verdict = 'left';

-- Purchases that were entered from a provider's list, under a reference of ours until the merchant's
-- own is known again. By the mark in the provider's reference it is recognised.
create table if not exists entered_vends (
  merchant_id integer not null,
  environment text not null,
  vend_id uuid not null,
  mark text not null,
  -- Null until the merchant has named it.
  named_at timestamptz,
  constraint entered_vends_pkey primary key (merchant_id, environment, mark)
);

create index if not exists entered_vends_nameless_idx on entered_vends (merchant_id) where named_at is null;

-- A purchase never changes, but for what names a person (0035), and for the reference of one that
-- was entered without it, once.
create or replace function refuse_vend_change() returns trigger
language plpgsql
as $$ begin
  if coalesce(current_setting('oja.anonymising', true), '') = 'on'
    and to_jsonb(new) - tg_argv = to_jsonb(old) - tg_argv
    or exists (
      select 1
      from entered_vends e
      where e.merchant_id = old.merchant_id
      and e.environment = old.environment
      and e.vend_id = old.id
      and e.named_at is null
    )
    and to_jsonb(new) - 'reference' = to_jsonb(old) - 'reference'
  then return new; end if; raise exception 'vends is append-only'; end $$;

-- Each by itself: together with what other files lock it would meet purchases in a circle.
create or replace trigger vends_never_change
before update on vends
for each row execute function refuse_vend_change('msisdn', 'recipient', 'details');
create or replace trigger vends_append_only
before delete or truncate on vends
for each statement execute function refuse_change();

-- Backups that were taken of this database, as whoever took them has told. A restored one knows of
-- those before it.
create table if not exists backups (
  id text not null,
  -- All that was committed before is in it.
  taken_at timestamptz not null,
  -- The name of the folder or repository, without its place.
  target text not null,
  bytes bigint,
  -- It was restored, to check it.
  verified boolean not null,
  recorded_at timestamptz not null default now(),
  constraint backups_pkey primary key (id),
  constraint backups_bytes_check check (bytes >= 0)
);

create index if not exists backups_taken_idx on backups (taken_at);

create unique index if not exists alarms_open_backup_key on alarms (kind)
where kind = 'backup_old' and acknowledged_at is null;

-- What providers and banks told in their own words may name persons, and goes as 0035 has it.
create or replace trigger reconciliation_differences_never_change before update on reconciliation_differences
  for each row execute function allow_anonymising('there', 'mend');
create or replace trigger reconciliation_differences_append_only before delete or truncate on reconciliation_differences
  for each statement execute function refuse_change();

create index if not exists reconciliation_differences_vend_idx on reconciliation_differences (merchant_id, vend_id);
create index if not exists reconciliation_differences_told_idx on reconciliation_differences (at)
where vend_id is null and (there <> '' or mend is not null);
