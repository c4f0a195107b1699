-- no transaction
-- Together with what other files lock, its triggers would meet purchases in a circle.
-- Attempts and provider answers of purchases that were over long ago are moved into files
-- (docs/operators/archive.md, docs/decisions/0374-attempts-and-answers-go-into-files.md).

-- The files that were written, each with what is in it.
create table if not exists archives (
  id text not null,
  -- The folder that it was written to.
  folder text not null,
  -- Of purchases that were accepted before.
  before timestamptz not null,
  written_at timestamptz not null default now(),
  bytes bigint not null,
  sha256 text not null,
  blocks integer not null,
  vends bigint not null,
  attempts bigint not null,
  answers bigint not null,
  -- When the first and the last of its attempts were made.
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- All that could go from the tables is gone. Null: the command was cut short.
  ended_at timestamptz,
  constraint archives_pkey primary key (id)
);

-- The parts of files whose rows are gone from the tables, each of some purchases of one merchant.
-- It comes in the transaction that deletes the rows, and goes in the one that brings them back.
create table if not exists archive_blocks (
  archive_id text not null,
  number integer not null,
  merchant_id integer not null,
  first_vend_id uuid not null,
  last_vend_id uuid not null,
  vends integer not null,
  attempts integer not null,
  answers integer not null,
  -- Words of providers are in it, which may name a person.
  has_words boolean not null,
  removed_at timestamptz not null default now(),
  -- In their order.
  vend_ids uuid[] not null,
  -- Hashes of the references at providers, so that a statement that names one is noticed.
  reference_hashes bigint[] not null,
  constraint archive_blocks_pkey primary key (archive_id, number),
  constraint archive_blocks_archive_fkey foreign key (archive_id) references archives (id),
  constraint archive_blocks_vends check (
    vends > 0
    and cardinality(vend_ids) = vends
    and vend_ids[1] = first_vend_id
    and vend_ids[vends] = last_vend_id
  ),
  constraint archive_blocks_attempts check (attempts >= vends and cardinality(reference_hashes) = attempts)
);

create index if not exists archive_blocks_vends_idx on archive_blocks (merchant_id, last_vend_id, first_vend_id);

-- An append-only table may lose rows where the transaction says that it moves them into an archive.
create or replace function allow_archiving() returns trigger
language plpgsql
as $$ begin
  if tg_op = 'DELETE' and coalesce(current_setting('oja.archiving', true), '') = 'on'
  then return null; end if; raise exception '% is append-only', tg_table_name; end $$;

create or replace trigger archive_blocks_append_only before update or delete or truncate on archive_blocks
  for each statement execute function allow_archiving();
create or replace trigger attempts_append_only before update or delete or truncate on attempts
  for each statement execute function allow_archiving();
create or replace trigger provider_answers_append_only before delete or truncate on provider_answers
  for each statement execute function allow_archiving();
