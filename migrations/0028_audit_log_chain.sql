-- no transaction
-- The audit log as a chain of hashes, who really acted, and lists by time
-- (docs/decisions/0306-the-audit-log-is-a-chain.md). If this file was cut short it runs again. A
-- statement ends with a line, so those within a function do not.

-- Who it was found to be, and where the operation came in. Null: an entry of version 0.1.0.
alter table audit_log
  add column if not exists principal text,
  add column if not exists edge text;

-- A link of the chain for each entry, in the order in which they were committed.
create table if not exists audit_log_chain (
  position bigint not null constraint audit_log_chain_pkey primary key,
  entry_id bigint not null constraint audit_log_chain_entry_key unique,
  previous_hash bytea not null,
  hash bytea not null
);

-- A time as it is hashed and exported: in UTC, with microseconds. Null where no entry has such a
-- time.
create or replace function audit_time(at timestamptz) returns text
language sql
stable
as $$
  select
    case
      when at between timestamptz '2000-01-01 00:00:00+00' and timestamptz '9999-12-31 00:00:00+00'
      then to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    end
$$;

-- What is hashed of an entry: of each field four bytes of length, and the text in UTF-8; of one that
-- is null the bytes of a length that no text has. No two entries have the same bytes. A loop, since
-- this takes a third of the time of one expression.
create or replace function audit_entry_bytes(entry audit_log) returns bytea
language plpgsql
stable
as $$
declare
  field text; field_bytes bytea; bytes bytea := ''; begin
  foreach field in array array[
    entry.id::text,
    audit_time(entry.at),
    entry.actor,
    entry.principal,
    entry.edge,
    entry.action,
    entry.subject,
    entry.before::text,
    entry.after::text
  ] loop
    if field is null then bytes := bytes || '\xffffffff'; else
      field_bytes := convert_to(field, 'UTF8'); bytes :=
        bytes || int4send(octet_length(field_bytes)) || field_bytes; end if; end loop; return bytes; end
$$;

-- One transaction at a time gives links, to its end. Another waits as long as its session waits for
-- a lock, 5 seconds where that has no limit, and then says what for.
create or replace function lock_audit_chain() returns void
language plpgsql
as $$
begin
  if not pg_try_advisory_xact_lock(7305414214) then
    if current_setting('lock_timeout') = '0' then
      perform set_config('lock_timeout', '5s', true); end if; begin
      perform pg_advisory_xact_lock(7305414214); exception when lock_not_available then
      raise exception 'another operation keeps the end of the audit log: nothing was done, try again'
        using errcode = 'lock_not_available'; end; end if; end
$$;

create or replace function append_to_audit_chain(entry audit_log) returns void
language plpgsql
as $$
begin
  perform lock_audit_chain(); with head as (
    select position, hash
    from audit_log_chain
    order by position desc
    limit 1
  ),
  previous as (
    select position, hash
    from head
    union all
    select 0, decode(repeat('00', 32), 'hex')
    where not exists (select from head)
  )
  insert into audit_log_chain (position, entry_id, previous_hash, hash)
  select position + 1, entry.id, hash, sha256(hash || audit_entry_bytes(entry))
  from previous; end
$$;

create or replace function chain_audit_entry() returns trigger
language plpgsql
as $$
begin
  perform append_to_audit_chain(new); return null; end
$$;

-- At the commit: whatever an operation does before, nobody waits for it. For processes of version
-- 0.1.0 too, which know nothing of it.
do $$
begin
  if not exists (select from pg_trigger where tgrelid = 'audit_log'::regclass and tgname = 'audit_log_chained') then
    create constraint trigger audit_log_chained after insert on audit_log
      deferrable initially deferred for each row execute function chain_audit_entry(); end if; end
$$;

-- Rows too: a statement on a table that this one was made a part of fires no trigger of statements
-- here. Always: also where a session says that it is a replica.
create or replace trigger audit_log_append_only_row before update or delete on audit_log
  for each row execute function refuse_change();
create or replace trigger audit_log_chain_append_only before update or delete or truncate on audit_log_chain
  for each statement execute function refuse_change();
create or replace trigger audit_log_chain_append_only_row before update or delete on audit_log_chain
  for each row execute function refuse_change();
alter table audit_log
  enable always trigger audit_log_append_only,
  enable always trigger audit_log_append_only_row;
alter table audit_log_chain
  enable always trigger audit_log_chain_append_only,
  enable always trigger audit_log_chain_append_only_row;

-- Entries that are older than the trigger get their links from the job `audit-chain`, in the order
-- of their ids: those above the first number and up to the second.
insert into settings (name, value)
select 'audit_chain_older', json_build_array('0', max(id)::text)::text
from audit_log
having max(id) is not null
on conflict (name) do nothing;

-- Lists are in the order of time, by one range of one index.
drop index concurrently if exists audit_log_at_idx;
create index concurrently audit_log_at_idx on audit_log (at, id);

drop index concurrently if exists audit_log_actor_at_idx;
create index concurrently audit_log_actor_at_idx on audit_log (actor, at, id);

drop index concurrently if exists audit_log_principal_at_idx;
create index concurrently audit_log_principal_at_idx on audit_log (principal, at, id) where principal is not null;

drop index concurrently if exists audit_log_edge_at_idx;
create index concurrently audit_log_edge_at_idx on audit_log (edge, at, id) where edge is not null;

drop index concurrently if exists audit_log_action_at_idx;
create index concurrently audit_log_action_at_idx on audit_log (action, at, id);

drop index concurrently if exists audit_log_kind_at_idx;
create index concurrently audit_log_kind_at_idx on audit_log (split_part(action, '.', 1), at, id);

drop index concurrently if exists audit_log_subject_at_idx;
create index concurrently audit_log_subject_at_idx on audit_log (subject, at, id);

drop index concurrently if exists audit_log_actor_action_at_idx;
create index concurrently audit_log_actor_action_at_idx on audit_log (actor, action, at, id);

drop index concurrently if exists audit_log_actor_kind_at_idx;
create index concurrently audit_log_actor_kind_at_idx on audit_log (actor, split_part(action, '.', 1), at, id);

drop index concurrently if exists audit_log_principal_action_at_idx;
create index concurrently audit_log_principal_action_at_idx on audit_log (principal, action, at, id)
  where principal is not null;

drop index concurrently if exists audit_log_principal_kind_at_idx;
create index concurrently audit_log_principal_kind_at_idx on audit_log (principal, split_part(action, '.', 1), at, id)
  where principal is not null;

-- What these take the place of.
drop index concurrently if exists audit_log_actor_idx;
drop index concurrently if exists audit_log_action_idx;
drop index concurrently if exists audit_log_kind_idx;
drop index concurrently if exists audit_log_subject_idx;
drop index concurrently if exists audit_log_actor_action_idx;
drop index concurrently if exists audit_log_actor_kind_idx;
