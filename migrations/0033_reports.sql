-- What is sold and booked, by Lagos day: added up behind the purchases (src/reports/add-up.ts), frozen
-- when a day is closed (src/reports/close-day.ts). A purchase writes to none of these tables.

-- Lagos is an hour before UTC, the whole year.
create or replace function lagos_day(at timestamptz) returns date
language sql
immutable
as $$
  select ((at at time zone 'UTC') + interval '1 hour')::date;
$$;

-- The day that a transfer belongs to. Those of one purchase are stored by one statement, and the
-- first of them decides where a midnight comes between.
create or replace function booked_day(p_merchant_id integer, p_subject_id uuid, p_code text, p_at timestamptz) returns date
language sql
stable
as $$
  select
    case
      when p_code in ('vend_cost', 'vend_margin', 'vend_loss') and lagos_day(p_at) > lagos_day(p_at - interval '1 hour') then (
        select lagos_day(min(created_at))
        from transfers
        where merchant_id = p_merchant_id
        and subject_id = p_subject_id
        and code in ('vend_cost', 'vend_margin', 'vend_loss')
      )
      else lagos_day(p_at)
    end;
$$;

-- Times are counted in these classes, by their upper ends in milliseconds: 30 s and 24 h are among
-- them, since regulators ask for what took longer. A class that is in use never changes.
create or replace function report_time_bounds() returns bigint[]
language sql
immutable
as $$
  select array[
    50, 100, 150, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 4000, 5000, 7000, 10000, 15000, 20000, 30000, 60000,
    120000, 300000, 900000, 3600000, 21600000, 86400000
  ]::bigint[];
$$;

-- Purchases by the day on which they became final, which is the day of their transfers.
create table report_sales (
  environment text not null,
  day date not null,
  -- The day on which they were accepted.
  accepted_day date not null,
  merchant_id integer not null,
  product text not null,
  network text not null,
  -- `none` of a purchase that no provider was asked for.
  provider text not null,
  currency text not null,
  successes bigint not null,
  failures bigint not null,
  -- Of the failures: those that were refused at once, so that no money was held.
  refused bigint not null,
  -- Of successes.
  face_value bigint not null,
  charge bigint not null,
  cost bigint not null,
  -- The part of the cost that the provider did not say.
  estimated_cost bigint not null,
  losses bigint not null,
  loss bigint not null,
  -- Of successes and failures: what was held for them.
  held bigint not null,
  -- Those that were accepted more than 30 s before the end of that day.
  waited bigint not null,
  constraint report_sales_pkey primary key (environment, day, accepted_day, merchant_id, product, network, provider, currency)
);

-- What became final on another day than it was accepted on: little.
create index report_sales_carried_idx on report_sales (environment, accepted_day, day) where accepted_day <> day;

-- How long things took: `final` from accepted to final, `refund` the same of failures, whose money is
-- given back with the outcome, `latency` of the provider's answer to the order.
create table report_times (
  environment text not null,
  day date not null,
  merchant_id integer not null,
  product text not null,
  network text not null,
  provider text not null,
  currency text not null,
  measure text not null,
  -- 0 is up to the first of report_time_bounds.
  class smallint not null,
  count bigint not null,
  longest_ms bigint not null,
  constraint report_times_pkey primary key (environment, day, merchant_id, product, network, provider, currency, measure, class)
);

-- Money that was given back for successes, by the day on which it was, with the day of the sale.
create table report_refunds (
  environment text not null,
  day date not null,
  sale_day date not null,
  kind text not null,
  merchant_id integer not null,
  product text not null,
  network text not null,
  provider text not null,
  currency text not null,
  count bigint not null,
  amount bigint not null,
  constraint report_refunds_pkey primary key (
    environment, day, sale_day, kind, merchant_id, product, network, provider, currency
  )
);

create index report_refunds_later_idx on report_refunds (environment, sale_day, day) where sale_day <> day;

-- Transfers, by day, code and the two accounts.
create table report_ledger (
  environment text not null,
  day date not null,
  code text not null,
  debit_account_id bigint not null,
  credit_account_id bigint not null,
  count bigint not null,
  amount bigint not null,
  constraint report_ledger_pkey primary key (environment, day, code, debit_account_id, credit_account_id)
);

-- What each account has of the transfers that are added up: credits less debits.
create table report_balances (
  account_id bigint constraint report_balances_pkey primary key,
  balance bigint not null
);

-- Transfers whose time is in a day that was closed when they came: they are booked on a later one.
create table report_late_transfers (
  merchant_id integer not null,
  subject_id uuid not null,
  code text not null,
  environment text not null,
  own_day date not null,
  day date not null,
  debit_account_id bigint not null,
  credit_account_id bigint not null,
  amount bigint not null,
  constraint report_late_transfers_pkey primary key (merchant_id, subject_id, code)
);
create index report_late_transfers_day_idx on report_late_transfers (environment, own_day);

-- How far it is. What came before `began_at` is the history: it is added up from its end to its
-- beginning. What came since is added up in rounds, as money_marks has them.
create table report_mark (
  only_one boolean not null default true constraint report_mark_pkey primary key,
  began_at timestamptz not null,
  -- The part of the history that is still to be added ends here; null: there is none.
  history_to timestamptz,
  -- Everything that is older, and not history, is added.
  from_at timestamptz not null,
  seen text,
  cut text,
  place_at timestamptz,
  next_from_at timestamptz,
  -- As money_marks.
  made_in text,
  seen_keys bigint[],
  constraint report_mark_only_one check (only_one)
);

insert into report_mark (began_at, history_to, from_at)
values (now(), now(), now());

-- A day that is closed: what was pending at its end, and the hash of all its figures, chained to the
-- closed day before and to the end of the audit log.
create table closed_days (
  environment text not null,
  day date not null,
  closed_at timestamptz not null default now(),
  closed_by text not null,
  closed_principal text not null,
  pending jsonb not null,
  audit_position bigint not null,
  audit_hash bytea not null,
  figures_hash bytea not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint closed_days_pkey primary key (environment, day),
  constraint closed_days_environment_check check (environment in ('test', 'live'))
);

-- What each account had at the end of a closed day: credits less debits.
create table closed_balances (
  environment text not null,
  day date not null,
  account_id bigint not null,
  balance bigint not null,
  constraint closed_balances_pkey primary key (environment, day, account_id)
);

-- The first day from a given one on that is not closed. The days before the first closed one are
-- closed with it.
create or replace function open_day(p_environment text, p_day date) returns date
language sql
stable
as $$
  select greatest(p_day, (
    select max(day) + 1
    from closed_days
    where environment = p_environment
  ));
$$;

-- Nothing of a closed day changes.
create or replace function refuse_closed_day() returns trigger
language plpgsql
as $$
declare
  v_environment text;
  v_day date;
begin
  foreach v_environment in array array['test', 'live'] loop
    select max(day)
    into v_day
    from closed_days
    where environment = v_environment;
    if (tg_op <> 'INSERT' and old.environment = v_environment and old.day <= v_day)
      or (tg_op <> 'DELETE' and new.environment = v_environment and new.day <= v_day) then
      raise exception 'the day is closed: nothing of % changes', tg_table_name;
    end if;
  end loop;
  if tg_op = 'DELETE' then
    return old;
  end if;
  return new;
end
$$;

create trigger report_sales_closed before insert or update or delete on report_sales
  for each row execute function refuse_closed_day();
create trigger report_times_closed before insert or update or delete on report_times
  for each row execute function refuse_closed_day();
create trigger report_refunds_closed before insert or update or delete on report_refunds
  for each row execute function refuse_closed_day();
create trigger report_ledger_closed before insert or update or delete on report_ledger
  for each row execute function refuse_closed_day();
create trigger report_sales_kept before truncate on report_sales for each statement execute function refuse_change();
create trigger report_times_kept before truncate on report_times for each statement execute function refuse_change();
create trigger report_refunds_kept before truncate on report_refunds for each statement execute function refuse_change();
create trigger report_ledger_kept before truncate on report_ledger for each statement execute function refuse_change();
create trigger report_late_transfers_append_only before update or delete or truncate on report_late_transfers
  for each statement execute function refuse_change();
create trigger closed_days_append_only before update or delete or truncate on closed_days
  for each statement execute function refuse_change();
create trigger closed_balances_append_only before update or delete or truncate on closed_balances
  for each statement execute function refuse_change();
alter table report_sales enable always trigger report_sales_closed, enable always trigger report_sales_kept;
alter table report_times enable always trigger report_times_closed, enable always trigger report_times_kept;
alter table report_refunds enable always trigger report_refunds_closed, enable always trigger report_refunds_kept;
alter table report_ledger enable always trigger report_ledger_closed, enable always trigger report_ledger_kept;
alter table closed_days enable always trigger closed_days_append_only;
alter table closed_balances enable always trigger closed_balances_append_only;

-- Marks that are kept by transaction numbers hold where these were given: in another server, or
-- another database, they mean nothing. `seen_keys`: the rows from `from_at` on that the mark saw, by
-- what stays the same in a copy.
alter table money_marks
  add column made_in text,
  add column seen_keys bigint[];

-- After a move: what was added in the database before. It goes when the first round here is over.
create table rows_added_before (
  mark text not null,
  key bigint not null,
  constraint rows_added_before_pkey primary key (mark, key)
);

-- Empty where the server does not tell.
create or replace function database_identity() returns text
language plpgsql
stable
as $$
begin
  return (
    select c.system_identifier || ':' || d.oid
    from pg_control_system() c
    cross join pg_database d
    where d.datname = current_database()
  );
exception
  when insufficient_privilege then
    return '';
end
$$;

-- Whether a mark was made elsewhere. One of a version before does not tell: then only transactions
-- that were never here give it away.
create or replace function is_moved(p_made_in text, p_seen text) returns boolean
language sql
stable
as $$
  select
    coalesce(nullif(p_made_in, '') <> nullif(database_identity(), ''), false)
    or coalesce(
      pg_snapshot_xmax(p_seen::pg_snapshot)::text::bigint > pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
      false
    );
$$;

-- The same in every database and on every server.
create or replace function row_key(p_name text) returns bigint
language sql
stable
as $$
  select ('x' || encode(substr(sha256(convert_to(p_name, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint;
$$;
