-- What lists of providers prove after a restore, and beats that are known again
-- (docs/decisions/0385-a-list-proves-the-time-that-it-has.md,
-- docs/decisions/0386-a-beat-has-a-token.md).

-- The time that the lists had, of all runs together. Null in what an older version wrote: it did not
-- say, and proves nothing.
alter table reconciled_providers add column covered tstzmultirange;

-- The last beats of the database, each in the place of its count modulo the number of places. A
-- beat with another token than a process has seen is of another history. The beats of an older
-- version are not here.
create table database_beats (
  place integer not null,
  beats bigint not null,
  token uuid not null,
  at timestamptz not null,
  constraint database_beats_pkey primary key (place)
) with (fillfactor = 50);
