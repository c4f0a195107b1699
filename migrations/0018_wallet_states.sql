-- What a wallet has becomes rows that are only added. A row that is changed in place leaves a dead
-- version each time, and while anybody holds a snapshot (a replica, pg_dump) none of them can be
-- swept: the next purchase walks over all of them. The newest of added rows is found at once,
-- however many older ones lie behind it.

-- Whose a wallet is. Never changed by money: the lock on this row is the lock on the wallet.
alter table wallets rename to wallet_owners;
alter table wallet_owners rename constraint wallets_pkey to wallet_owners_pkey;
alter table wallet_owners rename constraint wallets_owner_key to wallet_owners_owner_key;
alter table wallet_owners rename constraint wallets_environment_check to wallet_owners_environment_check;
alter table wallet_owners rename constraint wallets_account_id_fkey to wallet_owners_account_id_fkey;
alter table wallet_owners rename constraint wallets_merchant_id_fkey to wallet_owners_merchant_id_fkey;
alter table wallet_owners reset (fillfactor);

-- What a wallet has after each change of it; the one with the highest seq is what it has now. The
-- key stops two writers that both forgot the lock. A job deletes old ones.
create table wallet_states (
  wallet_id bigint not null,
  seq bigint not null,
  posted bigint not null,
  held bigint not null,
  floor bigint not null,
  constraint wallet_states_pkey primary key (wallet_id, seq),
  constraint wallets_held_positive check (held >= 0),
  constraint wallets_above_floor check (posted - held >= floor)
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_threshold = 100000,
  vacuum_truncate = false
);

insert into wallet_states (wallet_id, seq, posted, held, floor)
select account_id, 0, posted, held, floor
from wallet_owners;

alter table wallet_owners
  drop column posted,
  drop column held,
  drop column floor;

-- What a wallet has now. After a wait for the wallet's lock it must be read in a statement of its
-- own: the statement that waited still sees what was there before.
create function wallet_state(p_wallet_id bigint)
returns setof wallet_states
language sql
stable
rows 1
as $$
  select s.wallet_id, s.seq, s.posted, s.held, s.floor
  from wallet_states s
  where s.wallet_id = p_wallet_id
  order by s.seq desc
  limit 1
$$;

-- What a wallet has after a change, to be inserted. The wallet must be locked. Without a floor of
-- its own it keeps the present one. Every change of a wallet goes through here.
create function next_wallet_state(p_wallet_id bigint, p_posted bigint, p_held bigint, p_floor bigint default null)
returns setof wallet_states
language sql
stable
rows 1
as $$
  select s.wallet_id, s.seq + 1, s.posted + p_posted, s.held + p_held, coalesce(p_floor, s.floor)
  from wallet_state(p_wallet_id) s
$$;

create view wallets as
select
  o.account_id,
  o.merchant_id,
  o.environment,
  o.currency,
  s.posted,
  s.held,
  s.floor,
  o.created_at
from wallet_owners o
cross join lateral wallet_state(o.account_id) s;

alter view wallets alter column posted set default 0;
alter view wallets alter column held set default 0;
alter view wallets alter column floor set default 0;
alter view wallets alter column created_at set default now();

-- Processes of 0.1.0 change wallets in place. What they add or take is added to what the wallet has
-- under its lock, whatever they had read before.
create function change_wallet()
returns trigger
language plpgsql
as $$
begin
  if tg_op = 'INSERT' then
    insert into wallet_owners (account_id, merchant_id, environment, currency, created_at)
    values (new.account_id, new.merchant_id, new.environment, new.currency, new.created_at);
    insert into wallet_states (wallet_id, seq, posted, held, floor)
    values (new.account_id, 0, new.posted, new.held, new.floor);
    return new;
  end if;

  perform 1
  from wallet_owners
  where account_id = old.account_id
  for update;

  if (old.merchant_id, old.environment, old.currency) is distinct from (new.merchant_id, new.environment, new.currency) then
    update wallet_owners
    set merchant_id = new.merchant_id, environment = new.environment, currency = new.currency
    where account_id = old.account_id;
  end if;
  if (old.posted, old.held, old.floor) is distinct from (new.posted, new.held, new.floor) then
    insert into wallet_states
    select *
    from next_wallet_state(
      old.account_id,
      new.posted - old.posted,
      new.held - old.held,
      case when new.floor <> old.floor then new.floor end
    );
  end if;
  return new;
end
$$;

create trigger wallets_change
instead of insert or update on wallets
for each row execute function change_wallet();

-- The counters of vends, for the same reason: what a batch adds is a row of its own, and a job adds
-- these rows to vend_counts. A number is both together.
create table vend_count_deltas (
  merchant_id integer not null,
  environment text not null,
  id bigint not null generated always as identity,
  network text not null,
  status text not null,
  count bigint not null,
  constraint vend_count_deltas_pkey primary key (merchant_id, environment, id)
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_threshold = 100000,
  vacuum_truncate = false
);

-- One open alarm of a snapshot that is held for too long, whoever of the processes sees it.
create unique index alarms_open_snapshot_key on alarms (kind)
  where kind = 'old_snapshot' and acknowledged_at is null;
