-- Personal data goes after a time (docs/operators/retention.md). Amounts, references and states stay.

-- An append-only table may lose what names a person, and nothing else, where the transaction says
-- that it is about that. A row that is inserted meets none of this.
create function allow_anonymising() returns trigger
language plpgsql
as $$
begin
  if coalesce(current_setting('oja.anonymising', true), '') <> 'on'
    or to_jsonb(new) - tg_argv is distinct from to_jsonb(old) - tg_argv
  then
    raise exception '% is append-only', tg_table_name;
  end if;
  return new;
end
$$;

drop trigger vends_append_only on vends;
create trigger vends_append_only before delete or truncate on vends
  for each statement execute function refuse_change();
create trigger vends_never_change before update on vends
  for each row execute function allow_anonymising('msisdn', 'recipient', 'details');

drop trigger provider_answers_append_only on provider_answers;
create trigger provider_answers_append_only before delete or truncate on provider_answers
  for each statement execute function refuse_change();
create trigger provider_answers_anonymised before update on provider_answers
  for each row execute function allow_anonymising('message');

drop trigger vend_goods_append_only on vend_goods;
create trigger vend_goods_append_only before delete or truncate on vend_goods
  for each statement execute function refuse_change();
create trigger vend_goods_anonymised before update on vend_goods
  for each row execute function allow_anonymising('goods');

-- How far each kind is in the purchases of a merchant, in the order of their ids.
create table retention_marks (
  kind text not null,
  merchant_id integer not null,
  vend_id uuid not null,
  constraint retention_marks_pkey primary key (kind, merchant_id)
);

-- Purchases that were passed by, for they were not over.
create table retention_left (
  kind text not null,
  merchant_id integer not null,
  vend_id uuid not null,
  constraint retention_left_pkey primary key (kind, merchant_id, vend_id)
);

-- It no longer knows whom its purchases were for.
alter table search_segments add column is_forgotten boolean not null default false;

-- Whoever holds this row is at it.
insert into settings (name, value) values ('retention', 'one process at a time');
