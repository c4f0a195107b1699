-- A time as it is hashed and exported: in UTC, with microseconds. Null for a time that no entry can
-- have.
create or replace function audit_time(at timestamptz)
returns text
language sql
stable
as $$
  select case
    when at between timestamptz '2000-01-01 00:00:00+00' and timestamptz '9999-12-31 00:00:00+00'
      then to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
  end
$$;

-- The bytes of an entry that are hashed: for each field four bytes of length, then the text in
-- UTF-8. A null field has a length that no text has. Two different entries never have the same
-- bytes. A loop takes a third of the time of a single expression.
create or replace function audit_entry_bytes(entry audit_log)
returns bytea
language plpgsql
stable
as $$
declare
  field text;
  field_bytes bytea;
  bytes bytea := '';
begin
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
    if field is null then
      bytes := bytes || '\xffffffff';
    else
      field_bytes := convert_to(field, 'UTF8');
      bytes := bytes || int4send(octet_length(field_bytes)) || field_bytes;
    end if;
  end loop;
  return bytes;
end
$$;

-- One transaction at a time appends links, and keeps the lock until it ends. Another transaction
-- waits up to its session's lock timeout, or 5 seconds if there is none, and then fails with an
-- error that names the lock.
create or replace function lock_audit_chain()
returns void
language plpgsql
as $$
begin
  if pg_try_advisory_xact_lock(7305414214) then
    return;
  end if;
  if current_setting('lock_timeout') = '0' then
    perform set_config('lock_timeout', '5s', true);
  end if;
  begin
    perform pg_advisory_xact_lock(7305414214);
  exception
    when lock_not_available then
      raise exception 'another operation keeps the end of the audit log: nothing was done, try again'
        using errcode = 'lock_not_available';
  end;
end
$$;

create or replace function append_to_audit_chain(entry audit_log)
returns void
language plpgsql
as $$
begin
  perform lock_audit_chain();
  with head as (
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
  from previous;
end
$$;
