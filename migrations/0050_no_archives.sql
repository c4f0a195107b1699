-- no transaction
-- Each by itself: together with what other files lock it would meet purchases in a circle.
-- Attempts and provider answers stay in their tables.
create or replace trigger attempts_append_only before update or delete or truncate on attempts
  for each statement execute function refuse_change();
create or replace trigger provider_answers_append_only before delete or truncate on provider_answers
  for each statement execute function refuse_change();
drop table if exists archive_blocks;
drop table if exists archives;
drop function if exists allow_archiving();

-- The tools that take backups keep their sizes.
alter table backups drop column if exists bytes;

-- The database of a restore is recognized by what is in it.
update restore_fences set cause = 'went_back' where cause = 'restored';
alter table restore_fences drop constraint if exists restore_fences_cause_check;
alter table restore_fences
  add constraint restore_fences_cause_check check (cause in ('copied', 'went_back', 'by_hand'));
