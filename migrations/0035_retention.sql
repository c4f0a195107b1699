-- no transaction
-- Together with what other files lock, its triggers would meet purchases in a circle.
-- Personal data goes after a time (docs/operators/retention.md). Amounts, references and states stay.

-- How far each kind is in the purchases of a merchant, in the order of their ids.
create table if not exists retention_marks (
  kind text not null,
  merchant_id integer not null,
  vend_id uuid not null,
  constraint retention_marks_pkey primary key (kind, merchant_id)
);

-- Purchases that were passed by, for they were not over.
create table if not exists retention_left (
  kind text not null,
  merchant_id integer not null,
  vend_id uuid not null,
  constraint retention_left_pkey primary key (kind, merchant_id, vend_id)
);

-- It no longer knows whom its purchases were for.
alter table search_segments add column if not exists is_forgotten boolean not null default false;

-- Whoever holds this row is at it.
insert into settings (name, value) values ('retention', 'one process at a time') on conflict do nothing;

-- An append-only table may lose what names a person, and nothing else, where the transaction says
-- that it is about that. A row that is inserted meets none of this.
create or replace function allow_anonymising() returns trigger
language plpgsql
as $$ begin
  if coalesce(current_setting('oja.anonymising', true), '') = 'on'
    and to_jsonb(new) - tg_argv = to_jsonb(old) - tg_argv
  then return new; end if; raise exception '% is append-only', tg_table_name; end $$;

create or replace trigger vends_never_change before update on vends
  for each row execute function allow_anonymising('msisdn', 'recipient', 'details');
create or replace trigger vends_append_only before delete or truncate on vends
  for each statement execute function refuse_change();

create or replace trigger provider_answers_never_change before update on provider_answers
  for each row execute function allow_anonymising('message');
create or replace trigger provider_answers_append_only before delete or truncate on provider_answers
  for each statement execute function refuse_change();

create or replace trigger vend_goods_never_change before update on vend_goods
  for each row execute function allow_anonymising('goods');
create or replace trigger vend_goods_append_only before delete or truncate on vend_goods
  for each statement execute function refuse_change();
