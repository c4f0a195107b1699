-- An audit is always of everything: a run keeps what it found, and a clean one keeps the end of the
-- audit log that it saw.
alter table audit_runs
  add column audit_log jsonb;
update audit_runs
set audit_log = jsonb_build_object(
  'position', sums -> 'auditLog' ->> 'position',
  'entryId', sums -> 'auditLog' ->> 'entryId',
  'hash', sums -> 'auditLog' ->> 'hash'
)
where sums -> 'auditLog' ->> 'position' <> '0';
alter table audit_runs
  drop column kind,
  drop column since_id,
  drop column started_after,
  drop column checks_version,
  drop column database_id,
  drop column snapshot,
  drop column cut_at,
  drop column sums;
