-- What lists of providers prove after a restore
-- (docs/decisions/0385-a-list-proves-the-time-that-it-has.md).

-- The time that the lists had, of all runs together. Null in what an older version wrote: it did not
-- say, and proves nothing.
alter table reconciled_providers add column covered tstzmultirange;
