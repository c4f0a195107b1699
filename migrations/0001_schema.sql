-- The schema of 1.0, by area. Functions that may be replaced are in functions/.
--
-- Money is in minor units (kobo) and bigint. A table that belongs to a merchant begins its keys
-- with merchant_id. Triggers protect rows that must never change. A table whose comment ends with
-- `In cells.` is partitioned when the installation has cells (src/db/partition-tables.ts).

-- ==================== Batches ===============================================================

-- The arguments of accept_purchases, resolve_purchases and post_transfers, one per purchase. The
-- code sends the columns in this order (src/purchases/engine/accept-store.ts, resolve-store.ts).
create type transfer_item as (
  code text,
  debit bigint,
  credit bigint,
  amount bigint
);

create type accept_item as (
  ordinal integer,
  merchant_id integer,
  environment text,
  id uuid,
  reference text,
  product text,
  network text,
  plan_code text,
  msisdn text,
  recipient text,
  face_value bigint,
  charge bigint,
  wallet_id bigint,
  mode text,
  route text,
  details jsonb,
  credential_id text,
  created_at timestamptz,
  attempt_reference text,
  attempt_account text,
  refusal text,
  telco_message text,
  delivery json,
  voucher json,
  capped boolean
);

create type resolve_item as (
  ordinal integer,
  merchant_id integer,
  environment text,
  purchase_id uuid,
  network text,
  attempt smallint,
  source text,
  kind text,
  code text,
  message text,
  provider text,
  provider_id text,
  latency_ms integer,
  effect text,
  reason text,
  telco_message text,
  cost bigint,
  goods jsonb,
  sealed text,
  goods_missing boolean,
  due_ms bigint,
  flag boolean,
  transfers transfer_item[],
  voucher json
);

-- ==================== Write protection ======================================================

create function refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception '% is append-only', tg_table_name;
end
$$;

-- Append-only tables. Personal data can be removed from a row, if the transaction declares that it
-- does so. No other change is possible. Inserts are not affected.
create function allow_anonymising() returns trigger
language plpgsql
as $$
begin
  if coalesce(current_setting('oja.anonymising', true), '') = 'on'
    and to_jsonb(new) - tg_argv = to_jsonb(old) - tg_argv
  then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end
$$;

-- A purchase never changes, with two exceptions: data that names a person can be removed, and the
-- reference of a purchase that was entered without one can be set once.
create function refuse_purchase_change() returns trigger
language plpgsql
as $$
begin
  if coalesce(current_setting('oja.anonymising', true), '') = 'on'
    and to_jsonb(new) - tg_argv = to_jsonb(old) - tg_argv
    or exists (
      select 1
      from entered_purchases e
      where e.merchant_id = old.merchant_id
      and e.environment = old.environment
      and e.purchase_id = old.id
      and e.named_at is null
    )
    and to_jsonb(new) - 'reference' = to_jsonb(old) - 'reference'
  then
    return new;
  end if;
  raise exception 'purchases is append-only';
end
$$;

-- Refuses changes of a closed day. It looks at all rows of a statement together: the roll-up
-- changes thousands.
create function refuse_closed_day() returns trigger
language plpgsql
as $$
declare
  v_closed boolean := false;
begin
  if tg_op <> 'INSERT' then
    select exists (
      select
      from (select distinct environment, day from old_rows) as o
      join closed_days c
        on c.environment = o.environment
        and c.day >= o.day
    )
    into v_closed;
  end if;
  if tg_op <> 'DELETE' and not v_closed then
    select exists (
      select
      from (select distinct environment, day from new_rows) as n
      join closed_days c
        on c.environment = n.environment
        and c.day >= n.day
    )
    into v_closed;
  end if;
  if v_closed then
    raise exception 'the day is closed: nothing of % changes', tg_table_name;
  end if;
  return null;
end
$$;

create function chain_audit_entry() returns trigger
language plpgsql
as $$
begin
  perform append_to_audit_chain(new); return null; end
$$;

-- ==================== Merchants and their credentials =======================================

-- A price list says what merchants pay. A merchant's own discounts are the list `own:<code>`.
create table price_lists (
  list text not null,
  description text not null default '',
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  constraint price_lists_pkey primary key (list),
  constraint price_lists_list_form check (list ~ '^([a-z0-9][a-z0-9-]{0,39}|own:[A-Za-z0-9_-]{2,40})$')
);

-- The rules of a version never change. The version with the latest begin that has passed applies.
create table price_list_versions (
  list text not null,
  version integer not null,
  -- Null: a draft.
  holds_from timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  constraint price_list_versions_pkey primary key (list, version),
  constraint price_list_versions_begin_key unique (list, holds_from),
  constraint price_list_versions_list_fkey foreign key (list) references price_lists (list),
  constraint price_list_versions_version_check check (version >= 1)
);

create function refuse_price_version_change() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE'
    and (old.holds_from is null or old.holds_from > now())
    and to_jsonb(new) - 'holds_from' = to_jsonb(old) - 'holds_from'
  then
    return new;
  end if;
  raise exception 'a version of a price list never changes, but for the begin of one that has not begun';
end
$$;

create trigger price_list_versions_kept
  before delete or update on price_list_versions
  for each row execute function refuse_price_version_change();

create table price_list_rules (
  list text not null,
  version integer not null,
  -- `*`: every product, network, kind or plan without a rule of its own.
  product text not null,
  network text not null,
  kind text not null,
  plan_code text not null,
  -- Exactly one of these is set: kobo; hundredths of a percent below the face value; hundredths of
  -- a percent above the expected cost.
  price bigint,
  off integer,
  margin integer,
  -- In kobo.
  round_to bigint not null default 1,
  constraint price_list_rules_pkey primary key (list, version, product, network, kind, plan_code),
  constraint price_list_rules_version_fkey foreign key (list, version) references price_list_versions (list, version),
  constraint price_list_rules_one check (num_nonnulls(price, off, margin) = 1),
  constraint price_list_rules_price_check check (price is null or (price > 0 and plan_code <> '*')),
  constraint price_list_rules_off_check check (off between 0 and 10000),
  constraint price_list_rules_margin_check check (margin between 0 and 10000),
  constraint price_list_rules_round_to_check check (round_to > 0)
);

create trigger price_list_rules_append_only
  before delete or update or truncate on price_list_rules
  for each statement execute function refuse_change();

create table merchants (
  id integer not null generated always as identity,
  code text not null,
  name text not null,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  -- Null: the merchant has only its own discounts.
  price_list text,
  constraint merchants_pkey primary key (id),
  constraint merchants_code_key unique (code),
  constraint merchants_price_list_fkey foreign key (price_list) references price_lists (list),
  constraint merchants_code_form check (code ~ '^[A-Za-z0-9_-]{2,40}$')
);

create index merchants_price_list_idx on merchants (price_list) where price_list is not null;

-- How a merchant appears on receipts. Without a row: under its own name, without a logo.
create table shops (
  merchant_id integer not null,
  name text not null,
  logo bytea,
  logo_type text,
  constraint shops_pkey primary key (merchant_id),
  constraint shops_logo_type check ((logo is null) = (logo_type is null)),
  constraint shops_logo_bytes check (octet_length(logo) <= 65536)
);

-- Customers that a merchant saved in order to buy for them again.
-- In cells.
create table saved_recipients (
  merchant_id integer not null,
  id uuid not null,
  name text not null,
  product text not null,
  network text not null,
  -- A mobile number in its local form, or the number of a meter, smartcard or account.
  number text not null,
  created_at timestamptz not null default now(),
  constraint saved_recipients_pkey primary key (merchant_id, id),
  constraint saved_recipients_number_key unique (merchant_id, product, network, number),
  constraint saved_recipients_merchant_fkey foreign key (merchant_id) references merchants (id)
);

create index saved_recipients_name_idx on saved_recipients (merchant_id, name, id);
-- Used to search for one person.
create index saved_recipients_person_idx on saved_recipients (number);

create table credentials (
  key_id text not null,
  -- Purchases refer to the credential by this number, which is shorter than the key.
  id integer not null generated always as identity,
  merchant_id integer not null,
  environment text not null,
  -- HMAC-SHA-256 of the secret under the server's pepper. The secret itself is not stored.
  secret_hash bytea not null,
  label text not null default '',
  allowed_ips cidr[] not null default '{}',
  rate_limit_per_s integer,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- The expiry of which the merchant was notified.
  told_end timestamptz,
  -- In minor units of the wallet's currency. A rotation sets `spends_as`: the new credential's
  -- spending is counted under the first one, so that a rotation does not reset the daily sum.
  purchase_cap bigint,
  daily_cap bigint,
  mcp_purchases boolean not null default false,
  spends_as text,
  -- A restored database may contain keys that were revoked in the time it lost. Each of them waits
  -- until an operator confirms it. Null: the key does not wait.
  unconfirmed_at timestamptz,
  constraint credentials_pkey primary key (key_id),
  constraint credentials_id_key unique (merchant_id, id),
  constraint credentials_caps_check check (purchase_cap > 0 and daily_cap > 0),
  constraint credentials_environment_check check (environment in ('test', 'live')),
  constraint credentials_mcp_check check (
    not mcp_purchases
    or (purchase_cap is not null and daily_cap is not null)
  ),
  constraint credentials_merchant_id_fkey foreign key (merchant_id) references merchants (id),
  constraint credentials_rate_limit_per_s_check check (rate_limit_per_s >= 0)
);

create index credentials_merchant_idx on credentials (merchant_id, environment);
create index credentials_unconfirmed_idx on credentials (key_id) where unconfirmed_at is not null;

create table merchant_products (
  merchant_id integer not null,
  environment text not null,
  product text not null,
  enabled_at timestamptz not null default now(),
  constraint merchant_products_pkey primary key (merchant_id, environment, product),
  constraint merchant_products_environment_check check (environment in ('test', 'live')),
  constraint merchant_products_merchant_id_fkey foreign key (merchant_id) references merchants (id)
);

-- Moves of a merchant's test clock. The age of a purchase grows by all moves since it was accepted.
-- Ages are not stored.
-- In cells.
create table test_clock_moves (
  merchant_id integer not null,
  -- By the database's clock, so that ages can be compared with it.
  moved_at timestamptz not null default clock_timestamp(),
  advance_s integer not null,
  -- The sum of all moves, including this one.
  offset_s bigint not null,
  constraint test_clock_moves_pkey primary key (merchant_id, moved_at),
  constraint test_clock_moves_advance_s_check check (advance_s > 0)
);

-- Remaining sign-in attempts, by account, address and browser. They are replenished with time.
create table sign_in_buckets (
  key bytea not null,
  tokens double precision not null,
  counted_at timestamptz not null default now(),
  constraint sign_in_buckets_pkey primary key (key)
);

create index sign_in_buckets_time_idx on sign_in_buckets (counted_at);

-- ==================== Ledger and wallets ====================================================

-- Chart of accounts: one row per account, named by src/wallet/ledger/chart-of-accounts.ts.
create table accounts (
  id bigint not null generated always as identity,
  code text not null,
  kind text not null,
  environment text not null,
  currency text not null,
  merchant_id integer,
  constraint accounts_pkey primary key (id),
  constraint accounts_code_key unique (code),
  constraint accounts_merchant_key unique (id, merchant_id),
  constraint accounts_currency_check check (currency ~ '^[A-Z]{3}$'),
  constraint accounts_environment_check check (environment in ('test', 'live')),
  constraint accounts_merchant_id_fkey foreign key (merchant_id) references merchants (id)
);

create index accounts_merchant_idx on accounts (merchant_id) where merchant_id is not null;

-- The owner of a wallet. Transactions that move money do not change this row, but they lock it: its
-- lock is the lock on the wallet.
create table wallet_owners (
  account_id bigint not null,
  merchant_id integer not null,
  environment text not null,
  currency text not null,
  created_at timestamptz not null default now(),
  constraint wallet_owners_pkey primary key (account_id, merchant_id),
  constraint wallet_owners_owner_key unique (merchant_id, environment, currency),
  -- An account has one merchant, so a wallet has one owner.
  constraint wallet_owners_account_id_fkey foreign key (account_id, merchant_id)
    references accounts (id, merchant_id),
  constraint wallet_owners_environment_check check (environment in ('test', 'live')),
  constraint wallet_owners_merchant_id_fkey foreign key (merchant_id) references merchants (id)
);

-- The state of a wallet after each change. The highest seq is the current one. The key refuses the
-- second of two writers that both forgot the lock. A job deletes old rows.
create table wallet_states (
  wallet_id bigint not null,
  seq bigint not null,
  posted bigint not null,
  held bigint not null,
  floor bigint not null,
  merchant_id integer not null,
  constraint wallet_states_pkey primary key (wallet_id, seq, merchant_id),
  constraint wallets_above_floor check (posted - held >= floor),
  constraint wallets_held_positive check (held >= 0)
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_threshold = 100000,
  vacuum_truncate = false
);

-- The current state of each wallet.
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
cross join lateral (
  select w.posted, w.held, w.floor
  from wallet_states w
  where w.wallet_id = o.account_id
  and w.merchant_id = o.merchant_id
  order by w.seq desc
  limit 1
) s;

-- Each checkpoint of the roll-up. The sums of reports and the money totals contain exactly the
-- outcomes and transfers before the last checkpoint (src/finance/reports/roll-up.ts). Each
-- checkpoint is a row of its own, like the states of a wallet: under a long snapshot, old versions
-- of one row would make each purchase slower.
create table roll_up_checkpoints (
  -- In whole milliseconds, because the gateway reads times with that precision.
  at timestamptz not null,
  constraint roll_up_checkpoints_pkey primary key (at),
  constraint roll_up_checkpoints_whole_ms check (at = date_trunc('milliseconds', at))
);

-- The time of an outcome or a transfer. It is never before the last checkpoint, even if the clock
-- of the database was set back. The statement that inserts the row calls this function after it has
-- locked the table. The roll-up depends on this order.
create function booking_time() returns timestamptz
language plpgsql
set enable_seqscan = off
as $$
begin
  return greatest(clock_timestamp(), (select max(at) from roll_up_checkpoints));
end
$$;

-- One immutable movement of money. The key makes it impossible to post the same leg of the same
-- subject twice.
-- In cells.
create table transfers (
  id bigint not null generated always as identity,
  debit_account_id bigint not null,
  credit_account_id bigint not null,
  amount bigint not null,
  created_at timestamptz not null default booking_time(),
  -- The merchant whose business it is; 0 where the house moves money between its own accounts.
  merchant_id integer not null,
  -- The purchase, deposit or correction it belongs to.
  subject_id uuid not null,
  code text not null,
  -- Empty if absent, because a null would make each row longer.
  memo text not null default '',
  constraint transfers_pkey primary key (merchant_id, subject_id, code),
  constraint transfers_amount_positive check (amount > 0),
  constraint transfers_two_accounts check (debit_account_id <> credit_account_id)
) with (
  autovacuum_vacuum_insert_threshold = 5000000,
  autovacuum_analyze_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.5
);

create index transfers_merchant_order_idx on transfers (merchant_id, id);
create index transfers_time_idx on transfers using brin (created_at)
  with (pages_per_range = 64, autosummarize = on);

create trigger transfers_append_only
  before delete or update or truncate on transfers
  for each statement execute function refuse_change();

-- Purchases never lock house accounts. A batch stores its net effect as one delta per account, and
-- the roll-up moves the deltas into the checkpoint. Balance = checkpoint + deltas, read in one
-- snapshot. Both are credits less debits.
create table house_balances (
  account_id bigint not null,
  balance bigint not null default 0,
  rolled_up_at timestamptz not null default now(),
  constraint house_balances_pkey primary key (account_id),
  constraint house_balances_account_id_fkey foreign key (account_id) references accounts (id)
);

create table house_deltas (
  id bigint not null generated always as identity,
  account_id bigint not null,
  delta bigint not null,
  constraint house_deltas_pkey primary key (id)
);

-- The posted balance of a wallet after some of its transfers. A statement starts from the last mark
-- before its period, so its cost does not grow with history. Derived from transfers; `oja audit`
-- compares the two.
create table statement_marks (
  wallet_id bigint not null,
  -- The last transfer of the merchant that the balance includes.
  transfer_id bigint not null,
  -- The time of the wallet's last movement up to the mark. Later transfers are never earlier than
  -- it.
  at timestamptz not null,
  balance bigint not null,
  -- The wallet's own last transfer up to the mark. Statements skip the transfers of other wallets
  -- of the merchant.
  last_id bigint not null,
  merchant_id integer not null,
  constraint statement_marks_pkey primary key (wallet_id, transfer_id, merchant_id),
  constraint statement_marks_wallet_id_fkey foreign key (wallet_id, merchant_id)
    references wallet_owners (account_id, merchant_id)
);

-- Low-balance alert thresholds.
create table wallet_alerts (
  merchant_id integer not null,
  wallet_id bigint not null,
  threshold bigint not null,
  -- Since when the balance has been below the threshold. The alert was sent then.
  low_since timestamptz,
  constraint wallet_alerts_pkey primary key (wallet_id, merchant_id),
  constraint wallet_alerts_wallet_fkey foreign key (wallet_id, merchant_id)
    references wallet_owners (account_id, merchant_id)
);

-- ==================== Catalog ===============================================================

-- The products of this installation, with the properties that SQL needs. The gateway writes them
-- when it starts, from the records in src/core/products. Statements and audits read these rows and
-- never name a product.
create table products (
  product text not null,
  -- direct: for a mobile number | bill: to a biller | order: by plan, which is looked up and not
  -- listed.
  kind text not null,
  -- Whether its goods are stored sealed.
  sealed boolean not null,
  known_since timestamptz not null default now(),
  constraint products_pkey primary key (product),
  constraint products_kind_check check (kind in ('direct', 'bill', 'order'))
);

-- The companies behind bill networks. Never deleted, because purchases name the network.
create table billers (
  product text not null,
  -- As in the interface. The network remains when a company behind it is replaced.
  network text not null,
  name text not null,
  -- A list of {name, since, note, source}: other names of the network. A new company has the date
  -- of the change and its source.
  aliases jsonb not null default '[]',
  active boolean not null default true,
  position integer not null,
  constraint billers_pkey primary key (product, network)
);

create table plans (
  plan_code text not null,
  id integer not null,
  product text not null,
  network text not null,
  name text not null,
  description text,
  price bigint,
  tariff_type_id text,
  legacy_product_id text,
  validity text,
  size text,
  plan_group text,
  -- How the network sells the plan (src/core/products/plan-kind.ts). Null for bills.
  kind text,
  short_code text,
  provider_codes jsonb not null default '{}',
  active boolean not null default true,
  position integer not null,
  -- Bill plans have no size or validity. Their plan_code is their id as text.
  amount_type text not null default 'fixed',
  min_amount bigint,
  max_amount bigint,
  meter_kind text,
  -- The old id that verification accepts instead of the plan code.
  service_id text,
  constraint plans_pkey primary key (plan_code),
  constraint plans_id_key unique (id),
  constraint plans_amount check (
    case amount_type
      when 'fixed' then (price is not null and min_amount is null and max_amount is null)
      when 'variable' then (price is null and min_amount is not null and max_amount is not null and 0 < min_amount and min_amount <= max_amount)
      else false
  end),
  constraint plans_data check (
    product <> 'data'
    or (
      amount_type = 'fixed'
      and description is not null
      and tariff_type_id is not null
      and validity is not null
      and size is not null
      and plan_group is not null
      and short_code is not null
    )
  ),
  constraint plans_kind check (
    case product
      when 'data' then (kind is not null and kind in ('direct', 'sme', 'sme2', 'corporate_gifting', 'gifting', 'data_share'))
      else kind is null
  end),
  constraint plans_meter_kind check (
    case product
      when 'ELECTRICITY' then (meter_kind is not null and meter_kind in ('prepaid', 'postpaid'))
      else (meter_kind is null)
  end),
  constraint plans_price_check check (price > 0)
);

-- Never deleted, only withdrawn, because purchases refer to plans for ever. Amounts are minor units
-- of `currency`.
create table gift_card_plans (
  plan_id integer not null,
  title text not null,
  brand text not null,
  -- The country where it is redeemed, ISO 3166-1 alpha-2. Null if it is not a single country.
  region text,
  ui_category text not null,
  currency text not null,
  face_value bigint,
  min_price bigint,
  max_price bigint,
  featured boolean not null default false,
  -- As the catalog states them. If a provider can be queried, its answer takes precedence for the
  -- first two.
  fulfillment text not null default 'immediate',
  -- On sale to test credentials only.
  test_only boolean not null default false,
  provider_codes jsonb not null default '{}',
  active boolean not null default true,
  position integer not null,
  constraint gift_card_plans_pkey primary key (plan_id),
  constraint gift_card_plans_currency_check check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AED')),
  constraint gift_card_plans_fulfillment_check check (
    fulfillment in ('immediate', 'standard', 'out_of_stock', 'preorder')
  ),
  constraint gift_card_plans_plan_id_check check (plan_id > 0),
  constraint gift_card_plans_region_check check (region ~ '^[A-Z]{2}$'),
  constraint gift_card_plans_value check (
    case
      when (face_value is not null) then (face_value > 0 and min_price is null and max_price is null)
      else (min_price is not null and max_price is not null and 0 < min_price and min_price <= max_price)
  end)
);

create table esim_plans (
  plan_id text not null,
  title text not null,
  -- ISO 3166-1 alpha-2. Null if it serves more than one country.
  country text,
  region text not null,
  -- Megabytes; 1,000 make a gigabyte.
  data_mb integer not null,
  duration_days integer not null,
  currency text not null,
  price bigint not null,
  test_only boolean not null default false,
  provider_codes jsonb not null default '{}',
  active boolean not null default true,
  position integer not null,
  constraint esim_plans_pkey primary key (plan_id),
  constraint esim_plans_country_check check (country ~ '^[A-Z]{2}$'),
  constraint esim_plans_currency_check check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AED')),
  constraint esim_plans_data_mb_check check (data_mb > 0),
  constraint esim_plans_duration_days_check check (duration_days > 0),
  constraint esim_plans_plan_id_check check (plan_id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$'),
  constraint esim_plans_price_check check (price > 0)
);

-- The cost of a unit of a foreign currency. Append-only: the newest row of a currency applies, the
-- others are its history.
create table fx_rates (
  id bigint not null generated always as identity,
  currency text not null,
  -- Millionths of a naira for one unit: 1,545.25 naira for a dollar is 1545250000.
  rate_micro bigint not null,
  -- Charged on top of the rate.
  margin_basis_points integer not null,
  actor text not null,
  at timestamptz not null default now(),
  constraint fx_rates_pkey primary key (id),
  constraint fx_rates_currency_check check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AED')),
  constraint fx_rates_margin_basis_points_check check (
    margin_basis_points >= 0
    and margin_basis_points <= 10000
  ),
  constraint fx_rates_rate_micro_check check (rate_micro > 0)
);

create index fx_rates_newest_idx on fx_rates (currency, id desc);

create trigger fx_rates_append_only
  before delete or update or truncate on fx_rates
  for each statement execute function refuse_change();

-- Changes by an import or by a comparison with a provider, one row per plan or biller.
create table catalog_changes (
  id bigint not null generated always as identity,
  at timestamptz not null default now(),
  actor text not null,
  -- The file or the provider that the change came from.
  source text not null,
  product text not null,
  -- The plan's code or id, or the biller's network.
  subject text not null,
  -- The record in the import format. Null if it did not exist.
  before jsonb,
  after jsonb not null,
  constraint catalog_changes_pkey primary key (id)
);

create index catalog_changes_item_idx on catalog_changes (subject, id);
create index catalog_changes_subject_idx on catalog_changes (product, subject, id);

create trigger catalog_changes_append_only
  before delete or update or truncate on catalog_changes
  for each statement execute function refuse_change();

-- MTN lines used for vending whose balance a merchant may look up. An operator adds them.
create table mtn_lines (
  merchant_id integer not null,
  environment text not null,
  -- Digits in international form.
  phone text not null,
  client_name text not null,
  -- The balance of the line in kobo, as a provider last reported it.
  balance bigint,
  balance_at timestamptz,
  created_at timestamptz not null default now(),
  constraint mtn_lines_pkey primary key (merchant_id, environment, phone),
  constraint mtn_lines_environment_check check (environment in ('test', 'live')),
  constraint mtn_lines_merchant_id_fkey foreign key (merchant_id) references merchants (id)
);

-- ==================== Routes, providers and floats ==========================================

-- Which providers serve a product, in order. '*' stands for every network of the product.
create table routes (
  environment text not null,
  product text not null,
  network text not null,
  -- A kind of plan or of airtime. `*`: every kind without a route of its own.
  kind text not null default '*',
  position smallint not null,
  provider text not null,
  -- The provider's share of the purchases of the route. Null: it is used only when the others
  -- cannot serve.
  share smallint,
  -- How the first provider is chosen, the same in all rows of a route. `order`: by position, or by
  -- share if there are shares.
  strategy text not null default 'order',
  constraint routes_pkey primary key (environment, product, network, kind, position),
  constraint routes_environment_check check (environment in ('test', 'live')),
  constraint routes_position_check check (position >= 1),
  constraint routes_share_check check (share >= 1 and share <= 1000),
  constraint routes_strategy_check check (
    strategy in ('order', 'cheapest', 'most_reliable', 'balanced') and (strategy = 'order' or share is null)
  )
);

-- How the price of a plan is computed from the cost that a provider lists.
create table price_rules (
  product text not null,
  -- `*`: every network or every kind without a rule of its own.
  network text not null,
  kind text not null,
  markup_basis_points integer not null,
  -- In kobo, like the step that prices are rounded up to.
  markup bigint not null,
  round_to bigint not null,
  constraint price_rules_pkey primary key (product, network, kind),
  constraint price_rules_markup_check check (markup_basis_points >= 0 and markup_basis_points <= 10000 and markup >= 0),
  constraint price_rules_round_to_check check (round_to > 0)
);

-- The accounts whose price lists are compared with the catalog automatically.
create table sync_rules (
  provider text not null,
  -- A price that changes by more than this waits for an operator.
  within_basis_points integer not null,
  -- How many new plans one comparison may add.
  adds_max integer not null default 0,
  due_at timestamptz not null default now(),
  -- The last comparison: the prices that were applied, the changes that wait for an operator, or
  -- why it failed.
  synced_at timestamptz,
  applied integer not null default 0,
  waiting integer not null default 0,
  refusal text,
  constraint sync_rules_pkey primary key (provider),
  constraint sync_rules_within_basis_points_check check (within_basis_points >= 1 and within_basis_points <= 2000),
  constraint sync_rules_adds_max_check check (adds_max >= 0)
);

-- Accounts at providers, except those that only the environment configures. Every other table
-- refers to an account in its column `provider`, by the account's first name.
create table provider_accounts (
  provider text not null,
  connector text not null,
  -- The current name.
  name text not null,
  added_by text not null,
  added_at timestamptz not null default now(),
  removed_at timestamptz,
  removed_by text,
  constraint provider_accounts_pkey primary key (provider),
  constraint provider_accounts_name_key unique (name),
  constraint provider_accounts_removed_check check ((removed_at is null) = (removed_by is null))
);

-- Every name that an account has or had. No other account can take it.
create table provider_names (
  name text not null,
  provider text not null,
  named_by text not null,
  named_at timestamptz not null default now(),
  constraint provider_names_pkey primary key (name),
  constraint provider_names_provider_fkey foreign key (provider) references provider_accounts (provider)
);

-- Settings of providers that replace those in the environment of the gateways. The row with the
-- highest version applies. The previous row is kept for a rollback. A row without names means that
-- only the environment applies.
create table provider_credentials (
  provider text not null,
  version integer not null,
  sealed text not null,
  -- Names and fingerprints, never values.
  fingerprints jsonb not null,
  set_by text not null,
  at timestamptz not null default now(),
  constraint provider_credentials_pkey primary key (provider, version)
);

-- Purchases that are no longer sent to a provider. `*` stands for every product or every network.
create table provider_pauses (
  provider text not null,
  product text not null,
  network text not null,
  reason text not null,
  paused_by text not null,
  at timestamptz not null default now(),
  constraint provider_pauses_pkey primary key (provider, product, network)
);

-- Gateway processes that are alive. Other processes take over the work of a dead one.
create table gateways (
  id uuid not null,
  role text not null,
  host text not null,
  pid integer not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  -- The providers that the process can call.
  providers text[] not null default '{}',
  constraint gateways_pkey primary key (id)
);

-- Each process's view of each provider, written every two seconds.
create table provider_states (
  gateway_id uuid not null,
  provider text not null,
  at timestamptz not null,
  state jsonb not null,
  constraint provider_states_pkey primary key (gateway_id, provider),
  constraint provider_states_gateway_fkey foreign key (gateway_id) references gateways (id) on delete cascade
) with (
  fillfactor = 50
);

-- The total cost of all purchases at the start of an hour, by provider.
create table float_hours (
  provider text not null,
  environment text not null,
  hour timestamptz not null,
  cost bigint not null,
  constraint float_hours_pkey primary key (provider, environment, hour)
);

-- Limits set by an operator: when to raise an alarm, and when to pause the provider.
create table float_limits (
  provider text not null,
  hours integer,
  -- In minor units of our account at the provider, like `pause_below`.
  amount bigint,
  -- In kobo: the accepted difference between the books and the provider.
  drift bigint,
  pause_below bigint,
  constraint float_limits_pkey primary key (provider),
  constraint float_limits_amounts_check check (amount > 0 and drift >= 0 and pause_below > 0),
  constraint float_limits_hours_check check (hours >= 1 and hours <= 720)
);

-- One row per top-up and per charge. The subject of its transfer is its id. `reference` is the
-- provider's own id of the movement: a movement is booked once, by hand or by a reconciliation.
create table float_movements (
  id uuid not null,
  provider text not null,
  environment text not null,
  kind text not null,
  -- In kobo.
  amount bigint not null,
  -- As the provider counts it, if our account there is not in naira.
  foreign_amount bigint,
  foreign_currency text,
  -- The account on the other side: the source of a top-up, or the expense of a charge.
  other_account_id bigint not null,
  reference text,
  reason text not null,
  moved_at timestamptz not null,
  booked_by text not null,
  booked_principal text not null,
  at timestamptz not null default now(),
  constraint float_movements_pkey primary key (id),
  constraint float_movements_reference_key unique (provider, environment, reference),
  constraint float_movements_account_fkey foreign key (other_account_id) references accounts (id),
  constraint float_movements_environment_check check (environment in ('test', 'live')),
  constraint float_movements_foreign check ((foreign_amount is null) = (foreign_currency is null)),
  constraint float_movements_kind_check check (kind in ('top_up', 'charge')),
  constraint float_movements_positive check (amount > 0 and foreign_amount > 0)
);

create index float_movements_provider_idx on float_movements (provider, environment, id);

create trigger float_movements_append_only
  before delete or update or truncate on float_movements
  for each statement execute function refuse_change();

-- ==================== Purchases =============================================================

-- A purchase, as accepted. Never changed. Columns of fixed length come first: they need no padding.
-- In cells.
create table purchases (
  merchant_id integer not null,
  id uuid not null,
  -- credentials.id. Null if a reconciliation entered the purchase.
  credential_id integer,
  face_value bigint not null,
  charge bigint not null,
  wallet_id bigint not null,
  created_at timestamptz not null default now(),
  -- By the clock of the database. If the request makes the first attempt, this is its time too.
  stored_at timestamptz not null default now(),
  environment text not null,
  -- The merchant's idempotency key.
  reference text not null,
  product text not null,
  network text not null,
  plan_code text,
  -- As the merchant sent it, and normalised.
  msisdn text not null,
  recipient text not null,
  mode text not null,
  -- Provider names in order, comma-separated. Decided once, when the purchase is accepted.
  route text not null,
  -- The reference of the first attempt at the first provider of the route, if the request itself
  -- makes it. Null if a worker sends the purchase, or if it is never sent.
  attempt_reference text,
  -- Like further_attempts.account.
  attempt_account text,
  -- Further data for the provider call: the plan's provider codes, the customer's phone.
  details jsonb,
  constraint purchases_pkey primary key (merchant_id, environment, id),
  constraint purchases_amounts check (face_value > 0 and charge >= 0)
) with (
  autovacuum_vacuum_insert_threshold = 5000000,
  autovacuum_analyze_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.5
);

create index purchases_time_idx on purchases using brin (created_at) with (pages_per_range = 64, autosummarize = on);
create unique index purchases_reference_key on purchases (merchant_id, environment, reference);

-- A provider's callback contains only our reference.
create index purchases_attempt_reference_idx on purchases (attempt_reference) where attempt_reference is not null;
create index purchases_stored_idx on purchases using brin (stored_at)
  with (pages_per_range = 64, autosummarize = on);

create trigger purchases_append_only
  before delete or truncate on purchases
  for each statement execute function refuse_change();

-- Each statement runs by itself. Together with the locks of other files it could deadlock with
-- purchases.
create trigger purchases_never_change
  before update on purchases
  for each row execute function refuse_purchase_change('msisdn', 'recipient', 'details');

-- The attempts that are not in the row of their purchase: those that a worker sends, and those that
-- a reconciliation finds. Each is one call that may reach a provider, committed before the call.
-- In cells.
create table further_attempts (
  merchant_id integer not null,
  purchase_id uuid not null,
  number smallint not null,
  provider text not null,
  reference text not null,
  -- Why this provider was chosen.
  reason text not null,
  started_at timestamptz not null default now(),
  -- The account at its provider that an attempt was sent to
  -- (docs/decisions/0387-store-the-provider-account-with-each-attempt.md): a keyed hash of the
  -- settings that identify it. Null: the provider has no such setting.
  account text,
  constraint further_attempts_pkey primary key (merchant_id, purchase_id, number)
) with (
  autovacuum_vacuum_insert_threshold = 5000000,
  autovacuum_analyze_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.5
);

create index further_attempts_reference_idx on further_attempts (reference);
create index further_attempts_time_idx on further_attempts using brin (started_at)
  with (pages_per_range = 64, autosummarize = on);

create trigger further_attempts_append_only
  before delete or update or truncate on further_attempts
  for each statement execute function refuse_change();

-- All attempts, wherever they are stored.
create view attempts as
select
  merchant_id,
  id as purchase_id,
  1::smallint as number,
  split_part(route, ',', 1) as provider,
  attempt_reference as reference,
  'first of the route' as reason,
  stored_at as started_at,
  attempt_account as account
from purchases
where attempt_reference is not null
-- In the key of purchases, the environment is between merchant_id and id.
and environment = any(array['live', 'test'])
union all
select merchant_id, purchase_id, number, provider, reference, reason, started_at, account
from further_attempts;

-- The purchases that are not final: the hold of each on its wallet, and the next step.
-- In cells.
create table pending_purchases (
  merchant_id integer not null,
  environment text not null,
  purchase_id uuid not null,
  wallet_id bigint not null,
  charge bigint not null,
  -- 'send': no attempt is in progress, a provider may be called. 'query': an attempt may have
  -- reached its provider; only a query may finish the purchase.
  step text not null,
  -- When a worker may claim it. Null while the process that accepted it works on it.
  due_at timestamptz,
  -- The gateway process that works on it.
  owner uuid,
  attempts smallint not null default 0,
  queries integer not null default 0,
  not_found smallint not null default 0,
  flagged_at timestamptz,
  created_at timestamptz not null default now(),
  -- Whether the goods are sent to a customer when the purchase is final.
  delivers boolean not null default false,
  -- The attempt whose provider reported a success that is incomplete: goods are missing, or another
  -- attempt was already made.
  delivered_attempt smallint,
  -- The provider of the current attempt said that it has the order.
  acknowledged boolean not null default false,
  -- When an answer contradicted the reported success. The alarm is raised once.
  contradicted_at timestamptz,
  -- The provider that the purchase is sent to next, or that is queried about the current attempt.
  provider text not null,
  -- Whether a request waits for the outcome. If so, the purchase fails sooner when it cannot be
  -- sent.
  awaited boolean not null default false,
  -- Columns that lists of pending purchases filter by.
  network text not null,
  recipient text not null,
  constraint pending_purchases_pkey primary key (merchant_id, purchase_id),
  constraint pending_purchases_step_check check (step in ('send', 'query'))
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_vacuum_threshold = 100000
);

-- By merchant: merchants with purchases at one provider are served in turn.
create index pending_purchases_lane_idx on pending_purchases (provider, step, merchant_id, due_at)
  where due_at is not null;
create index pending_purchases_network_idx on pending_purchases (merchant_id, environment, network, purchase_id)
  where owner is null;
create index pending_purchases_owner_idx on pending_purchases (owner) where owner is not null;
create index pending_purchases_recipient_idx
  on pending_purchases (merchant_id, environment, recipient, network, purchase_id)
  where owner is null;
create index pending_purchases_unsent_idx on pending_purchases (awaited, created_at)
  where step = 'send' and due_at is not null and flagged_at is null;

-- Orders at providers that do not return our reference. A row is committed before its order is sent
-- (src/purchases/engine/alike-store.ts).
create table alike_orders (
  merchant_id integer not null,
  purchase_id uuid not null,
  attempt smallint not null,
  -- Hashes of recipient, plan and amount, combined with the account and with the provider's
  -- endpoint.
  alike text[] not null,
  claimed_at timestamptz not null default now(),
  constraint alike_orders_pkey primary key (merchant_id, purchase_id, attempt)
);

create index alike_orders_alike_idx on alike_orders using gin (alike);
create index alike_orders_time_idx on alike_orders (claimed_at);

-- Our balances at providers whose orders cannot be queried, as they were read. Kept for eight days
-- (src/purchases/evidence/).
create table balance_readings (
  id bigint generated always as identity,
  provider text not null,
  -- Like further_attempts.account.
  account text,
  -- The balance had this value at some moment between the two times, in kobo.
  asked_at timestamptz not null,
  at timestamptz not null default clock_timestamp(),
  amount bigint not null,
  -- The attempt whose answer contained the balance. Null: the balance was read by itself.
  merchant_id integer,
  purchase_id uuid,
  attempt smallint,
  -- Whether the balance already contains the cost of that attempt. Null: unknown.
  is_after boolean,
  constraint balance_readings_pkey primary key (provider, id)
);

create index balance_readings_time_idx on balance_readings (provider, at);

-- What the balance shows about an attempt without a final answer. Stored before it decides the
-- purchase, and not changed after it did.
-- In cells.
create table balance_evidence (
  merchant_id integer not null,
  purchase_id uuid not null,
  attempt smallint not null,
  verdict text not null,
  why text not null,
  -- The two readings that were compared, in kobo. Null if there is none before the attempt.
  before_amount bigint,
  before_at timestamptz,
  after_amount bigint,
  after_at timestamptz,
  -- The part that other purchases and movements explain. Null if there is more than one
  -- explanation.
  others bigint,
  -- The amount that the attempt cost. Null unless it changed the balance.
  cost bigint,
  -- How many other movements may or may not be included in the balance.
  beside integer,
  at timestamptz not null default clock_timestamp(),
  constraint balance_evidence_pkey primary key (merchant_id, purchase_id, attempt),
  constraint balance_evidence_verdict_check check (verdict in ('moved', 'unmoved', 'undecided')),
  constraint balance_evidence_cost_check check ((verdict = 'moved') = (cost is not null))
);

-- The final result of a purchase: one row, written once and never changed.
-- In cells.
create table purchase_outcomes (
  merchant_id integer not null,
  purchase_id uuid not null,
  answer_latency_ms integer,
  -- Also the time of its transfers.
  at timestamptz not null default booking_time(),
  -- The provider's charge in kobo.
  cost bigint,
  -- For a success: whether the provider did not report its charge, so that the cost is the expected
  -- one. Null for a failed purchase.
  cost_estimated boolean,
  -- The answer that decided the purchase, and the number of the attempt it is about. Null if the
  -- purchase failed before it could be sent.
  attempt smallint,
  environment text not null,
  status text not null,
  -- delivered | refused | insufficient_funds | not_found | not_sent
  reason text not null,
  telco_message text,
  provider text,
  -- Columns that lists of final purchases filter by.
  network text not null,
  recipient text not null,
  answer_source text,
  answer_kind text,
  answer_code text,
  answer_message text,
  answer_provider_id text,
  goods jsonb,
  constraint purchase_outcomes_answer check (
    num_nulls(attempt, answer_source, answer_kind, answer_code, answer_message) in (0, 5)
  ),
  constraint purchase_outcomes_pkey primary key (merchant_id, purchase_id),
  constraint purchase_outcomes_source_check check (
    answer_source in ('purchase', 'query', 'callback', 'operator', 'gateway')
  ),
  constraint purchase_outcomes_status_check check (status in ('success', 'failed'))
) with (
  autovacuum_vacuum_insert_threshold = 5000000,
  autovacuum_analyze_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.5
);

-- For lists. The filter values are stored as one hash: the entries take half the space and cost a
-- third less (docs/decisions/0303-read-purchase-lists-from-outcomes-and-the-queue.md).
create index purchase_outcomes_network_idx
  on purchase_outcomes (merchant_id, hashtext(environment || status || network), purchase_id);
create index purchase_outcomes_recipient_idx
  on purchase_outcomes (merchant_id, hashtext(environment || status || network || recipient), purchase_id);
create index purchase_outcomes_time_idx on purchase_outcomes using brin (at timestamptz_minmax_multi_ops)
  with (pages_per_range = 64, autosummarize = on);

create trigger purchase_outcomes_append_only
  before delete or truncate on purchase_outcomes
  for each statement execute function refuse_change();

create trigger purchase_outcomes_never_change
  before update on purchase_outcomes
  for each row execute function allow_anonymising('telco_message', 'goods', 'recipient', 'answer_message');

-- The answers about a purchase that did not decide it, from any source. The answer that decided it
-- is in its outcome.
-- In cells.
create table further_answers (
  merchant_id integer not null,
  purchase_id uuid not null,
  attempt smallint not null,
  source text not null,
  kind text not null,
  code text not null,
  message text not null,
  provider_id text,
  latency_ms integer,
  -- Written under the lock of the wallet, so that times have the order in which answers were
  -- processed.
  at timestamptz not null default clock_timestamp(),
  constraint further_answers_source_check check (
    source in ('purchase', 'query', 'callback', 'operator', 'gateway')
  )
) with (
  autovacuum_vacuum_insert_threshold = 5000000,
  autovacuum_analyze_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.5
);

create index further_answers_purchase_idx on further_answers (merchant_id, purchase_id);

create trigger further_answers_append_only
  before delete or truncate on further_answers
  for each statement execute function refuse_change();

create trigger further_answers_never_change
  before update on further_answers
  for each row execute function allow_anonymising('message');

-- All answers about purchases, wherever they are stored: the evidence.
create view provider_answers as
select
  merchant_id,
  purchase_id,
  attempt,
  answer_source as source,
  answer_kind as kind,
  answer_code as code,
  answer_message as message,
  answer_provider_id as provider_id,
  answer_latency_ms as latency_ms,
  at
from purchase_outcomes
where answer_kind is not null
union all
select merchant_id, purchase_id, attempt, source, kind, code, message, provider_id, latency_ms, at
from further_answers;

-- Goods that came after the outcome, in addition to those in the outcome. Never changed.
-- In cells.
create table purchase_goods (
  merchant_id integer not null,
  purchase_id uuid not null,
  goods jsonb not null,
  at timestamptz not null default now(),
  constraint purchase_goods_pkey primary key (merchant_id, purchase_id)
);

-- Finds tokens that came after the outcome. The index has hashes of them.
create index purchase_goods_goods_idx on purchase_goods using gin (goods jsonb_path_ops) with (fastupdate = off);

create trigger purchase_goods_append_only
  before delete or truncate on purchase_goods
  for each statement execute function refuse_change();

create trigger purchase_goods_never_change
  before update on purchase_goods
  for each row execute function allow_anonymising('goods');

-- One row per delivered order, also when its goods came late. Sealed again when keys rotate,
-- otherwise never changed.
-- In cells.
create table sealed_goods (
  merchant_id integer not null,
  purchase_id uuid not null,
  -- The key that opens it (src/core/sealing.ts).
  key_id text not null,
  sealed text not null,
  at timestamptz not null default now(),
  constraint sealed_goods_pkey primary key (merchant_id, purchase_id)
);

-- Final purchases whose goods are still queried. The row is deleted when the goods have come.
-- In cells.
create table pending_fulfilments (
  merchant_id integer not null,
  environment text not null,
  purchase_id uuid not null,
  due_at timestamptz,
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  lease_id uuid,
  alarmed_at timestamptz,
  constraint pending_fulfilments_pkey primary key (merchant_id, purchase_id)
);

create index pending_fulfilments_due_idx on pending_fulfilments (due_at);

-- Money returned for a successful purchase: to the merchant, or by the provider to us. The refund's
-- id is the subject of its transfer. Written under the lock of the purchase's wallet.
-- In cells.
create table purchase_refunds (
  merchant_id integer not null,
  refund_id uuid not null,
  environment text not null,
  purchase_id uuid not null,
  kind text not null,
  amount bigint not null,
  reason text not null,
  refunded_by text not null,
  refunded_principal text not null,
  at timestamptz not null default now(),
  constraint purchase_refunds_pkey primary key (merchant_id, refund_id),
  constraint purchase_refunds_amount check (amount > 0),
  constraint purchase_refunds_kind check (kind in ('merchant', 'provider'))
);

create index purchase_refunds_purchase_idx on purchase_refunds (merchant_id, purchase_id);

create trigger purchase_refunds_append_only
  before delete or update or truncate on purchase_refunds
  for each statement execute function refuse_change();

-- The delivery of an order to its customer, by e-mail, SMS or WhatsApp. One row per order that
-- requests it, created when the order is accepted.
-- In cells.
create table deliveries (
  merchant_id integer not null,
  environment text not null,
  purchase_id uuid not null,
  channel text not null,
  -- Sealed (src/core/sealing.ts).
  destination text not null,
  -- Shown to support.
  hint text not null,
  -- waiting: the order has not succeeded with its goods yet. due: to be sent at due_at. sending: a
  -- process is sending it, and is presumed dead at due_at. sent | refused (by the carrier, finally)
  -- | unknown (perhaps sent, not sent again automatically) | given_up | cancelled (the order
  -- failed).
  state text not null default 'waiting',
  due_at timestamptz,
  tries integer not null default 0,
  -- The result of the last attempt to send it.
  code text,
  note text,
  -- The carrier's id of the message.
  message_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  lease_id uuid,
  alarmed_at timestamptz,
  constraint deliveries_pkey primary key (merchant_id, purchase_id),
  constraint deliveries_channel_check check (channel in ('email', 'sms', 'whatsapp')),
  constraint deliveries_due check ((due_at is not null) = (state in ('due', 'sending'))),
  constraint deliveries_leased check ((state = 'sending') = (lease_id is not null and due_at is not null)),
  constraint deliveries_state_check check (
    state in ('waiting', 'due', 'sending', 'sent', 'refused', 'unknown', 'given_up', 'cancelled')
  )
);

create index deliveries_due_idx on deliveries (environment, due_at) where due_at is not null;
create index deliveries_open_idx on deliveries (state, updated_at) where state not in ('sent', 'cancelled');
create index deliveries_time_idx on deliveries using brin (updated_at)
  with (pages_per_range = 64, autosummarize = on);

-- Receipts that were sent, or whose links were revoked. Other receipts have no row.
-- In cells.
create table receipts (
  merchant_id integer not null,
  purchase_id uuid not null,
  -- Links of an earlier revision are revoked.
  revision integer not null default 0,
  sends integer not null default 0,
  constraint receipts_pkey primary key (merchant_id, purchase_id),
  constraint receipts_counts check (revision >= 0 and sends >= 0)
);

-- Counts for total_items of a list: 'accepted' counts every purchase, 'success' and 'failed' the
-- final ones.
-- In cells.
create table purchase_counts (
  merchant_id integer not null,
  environment text not null,
  network text not null,
  status text not null,
  count bigint not null,
  constraint purchase_counts_pkey primary key (merchant_id, environment, network, status),
  constraint purchase_counts_status_check check (status in ('accepted', 'success', 'failed'))
) with (
  fillfactor = 50
);

-- The counts that each batch adds. A job moves these rows into purchase_counts; a count is the sum
-- of both. A counter changed in place would leave a dead row with each batch.
-- In cells.
create table purchase_count_deltas (
  merchant_id integer not null,
  environment text not null,
  id bigint not null generated always as identity,
  network text not null,
  status text not null,
  count bigint not null,
  constraint purchase_count_deltas_pkey primary key (merchant_id, environment, id)
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_threshold = 100000,
  vacuum_truncate = false
);

-- A purchase that is counted against a cap. The row is deleted when the purchase fails.
-- In cells.
create table capped_purchases (
  merchant_id integer not null,
  purchase_id uuid not null,
  key_id text not null,
  day date not null,
  amount bigint not null,
  constraint capped_purchases_pkey primary key (merchant_id, purchase_id)
);

create index capped_purchases_day_idx on capped_purchases (merchant_id, key_id, day);

-- The spending of a capped credential on a Lagos day: the sum of its rows of `capped_purchases`.
-- In cells.
create table credential_spending (
  merchant_id integer not null,
  key_id text not null,
  day date not null,
  spent bigint not null,
  constraint credential_spending_pkey primary key (merchant_id, key_id, day),
  constraint credential_spending_check check (spent >= 0)
);

create index credential_spending_day_idx on credential_spending (day);

-- Some providers reverse a success later, and only a query shows it. So each success is queried
-- again at certain ages (src/purchases/rechecks/recheck-successes.ts). One row per provider and
-- age: the success that was queried last, and the columns of the leased queue.
create table success_rechecks (
  provider text not null,
  age_minutes integer not null,
  last_at timestamptz not null,
  last_merchant_id integer not null default 0,
  last_purchase_id uuid not null default '00000000-0000-0000-0000-000000000000',
  due_at timestamptz,
  lease_id uuid,
  tries integer not null default 0,
  alarmed_at timestamptz,
  constraint success_rechecks_pkey primary key (provider, age_minutes)
);

-- A list of purchases that a merchant uploaded as one file. A worker buys its rows in order.
-- In cells.
create table batches (
  merchant_id integer not null,
  id uuid not null,
  environment text not null,
  -- A hash of its rows in their order. The references of its purchases are derived from it.
  hash text not null,
  name text not null,
  -- Its purchases are made with this credential and count against its caps.
  credential_id text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  -- The headings of the file in order, each with the field that was recognised.
  heads jsonb not null,
  row_count integer not null,
  duplicates integer not null,
  -- As priced when the file was read.
  face_value bigint not null,
  charge bigint not null,
  state text not null default 'ready',
  -- Why the gateway paused it. Null if a person did.
  pause_reason text,
  -- The rows before this one were bought or refused.
  next_line integer not null default 1,
  -- Which personal data of its rows was removed: null, 'customers', 'purchases'.
  forgotten text,
  changed_at timestamptz not null default now(),
  due_at timestamptz,
  lease_id uuid,
  tries integer not null default 0,
  alarmed_at timestamptz,
  constraint batches_pkey primary key (merchant_id, id),
  constraint batches_state_check check (state in ('ready', 'running', 'paused', 'stopped', 'done')),
  constraint batches_due check ((due_at is not null) = (state = 'running')),
  constraint batches_next_line check (next_line between 1 and row_count + 1)
);

-- The same file gives the same batch.
create unique index batches_hash_key on batches (merchant_id, environment, hash);
create index batches_due_idx on batches (due_at) where due_at is not null;
create index batches_changed_idx on batches (changed_at) where forgotten is distinct from 'purchases';

-- What a row of a batch buys. Its result is the purchase with its reference.
-- In cells.
create table batch_rows (
  merchant_id integer not null,
  batch_id uuid not null,
  -- 1 is the first row below the headings.
  line integer not null,
  product text not null,
  network text not null,
  -- As the merchant sent them, with the recipient normalised.
  plan_code text,
  -- For airtime. Null: the usual kind.
  plan_kind text,
  msisdn text not null,
  recipient text not null,
  phone text,
  face_value bigint not null,
  charge bigint not null,
  -- The first row that buys the same.
  duplicate_of integer,
  -- The error code if the purchase could not be stored.
  refused_with text,
  constraint batch_rows_pkey primary key (merchant_id, batch_id, line)
);

-- ==================== Search ================================================================

-- One row for each final purchase, filled in the background. Retention masks `recipient`.
-- In cells.
create table purchase_search (
  merchant_id integer not null,
  environment text not null,
  purchase_id uuid not null,
  product text not null,
  network text not null,
  provider text,
  status text not null,
  reason text not null,
  face_value bigint not null,
  recipient text not null,
  constraint purchase_search_pkey primary key (merchant_id, environment, purchase_id)
) with (
  autovacuum_vacuum_insert_threshold = 5000000,
  autovacuum_analyze_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.5
);

create index purchase_search_recipient_idx on purchase_search (recipient, purchase_id);
create index purchase_search_status_idx on purchase_search (status, purchase_id);
create index purchase_search_reason_idx on purchase_search (reason, purchase_id) where status = 'failed';

-- The provider's own references and the tokens of the purchases in `purchase_search`.
-- In cells.
create table purchase_search_names (
  merchant_id integer not null,
  purchase_id uuid not null,
  -- The first 8 bytes of SHA-256.
  name bytea not null,
  -- The name is first, because lookups are by name.
  constraint purchase_search_names_pkey primary key (name, purchase_id, merchant_id)
) with (
  autovacuum_vacuum_insert_threshold = 5000000,
  autovacuum_analyze_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.5
);

-- ==================== Vouchers ==============================================================

-- One row per code. The code itself is not stored.
-- In cells.
create table vouchers (
  merchant_id integer not null,
  id uuid not null,
  environment text not null,
  -- The vouchers that were issued together; the subject of the transfer that took their value from
  -- the wallet.
  issue_id uuid not null,
  -- A keyed hash (src/wallet/vouchers/voucher-code.ts).
  code_hash bytea not null,
  -- The last characters of the code, shown to support.
  hint text not null,
  -- In kobo.
  value bigint not null,
  issued_at timestamptz not null default now(),
  cancelled_at timestamptz,
  constraint vouchers_pkey primary key (merchant_id, id),
  constraint vouchers_code_hash_check check (octet_length(code_hash) = 32),
  constraint vouchers_environment_check check (environment in ('test', 'live')),
  constraint vouchers_merchant_id_fkey foreign key (merchant_id) references merchants (id),
  constraint vouchers_value_check check (value > 0)
);

create index vouchers_issue_idx on vouchers (merchant_id, issue_id);
create unique index vouchers_code_key on vouchers (merchant_id, environment, code_hash);

-- One row per order that a voucher pays. Written and returned under the lock of the merchant's
-- wallet, like everything that moves its money.
-- In cells.
create table voucher_redemptions (
  merchant_id integer not null,
  purchase_id uuid not null,
  voucher_id uuid not null,
  -- The subjects of two transfers: the one that pays the order, and the one that returns what the
  -- order did not need.
  redeem_id uuid not null,
  settle_id uuid not null,
  at timestamptz not null default now(),
  -- The order failed, and the voucher can be redeemed again.
  returned_at timestamptz,
  constraint voucher_redemptions_pkey primary key (merchant_id, purchase_id),
  constraint voucher_redemptions_merchant_id_voucher_id_fkey foreign key (merchant_id, voucher_id) references vouchers (merchant_id, id)
);

create index voucher_redemptions_redeem_idx on voucher_redemptions (merchant_id, redeem_id);
create index voucher_redemptions_settle_idx on voucher_redemptions (merchant_id, settle_id);

-- A voucher pays one order, even under concurrent requests.
create unique index voucher_redemptions_open_key on voucher_redemptions (merchant_id, voucher_id)
  where returned_at is null;

-- ==================== Deposits and funding accounts =========================================

-- One account per merchant, environment and currency. The row is committed before the bank is
-- called, so that after a crash the same account is requested again under the same reference.
create table funding_accounts (
  merchant_id integer not null,
  environment text not null,
  currency text not null,
  wallet_id bigint not null,
  provider text not null,
  -- Our reference at the provider, derived from the merchant: a second account is never created.
  reference text not null,
  -- A keyed hash of the e-mail, for providers that identify customers only by e-mail: two merchants
  -- cannot share one.
  customer_hash text,
  -- requested: the bank may have been called. pending: the bank is working on it. refused: the bank
  -- refused it, and will refuse it again until the data changes.
  status text not null,
  account_number text,
  account_name text,
  bank_name text,
  -- The provider's own id of the customer or account.
  provider_id text,
  refusal text,
  tries integer not null default 0,
  -- When to query again. Null when it is settled.
  due_at timestamptz,
  created_at timestamptz not null default now(),
  active_at timestamptz,
  -- When to read the provider's list of payments, and when it was last read completely.
  sweep_due_at timestamptz not null default now(),
  swept_at timestamptz,
  lease_id uuid,
  alarmed_at timestamptz,
  -- Since when the bank owes the account: the time of the registration, either the first or the one
  -- after the last refusal.
  requested_at timestamptz not null default now(),
  -- The reason given by a bank's notice that refuses the account. It is only a hint: the bank is
  -- queried before the account counts as refused.
  refusal_told text,
  constraint funding_accounts_pkey primary key (merchant_id, environment, currency),
  constraint funding_accounts_active_known check (
    status <> 'active'
    or (account_number is not null and account_name is not null and bank_name is not null)
  ),
  constraint funding_accounts_currency_check check (currency ~ '^[A-Z]{3}$'),
  constraint funding_accounts_environment_check check (environment in ('test', 'live')),
  constraint funding_accounts_merchant_id_fkey foreign key (merchant_id) references merchants (id),
  constraint funding_accounts_status_check check (status in ('requested', 'pending', 'active', 'refused')),
  constraint funding_accounts_wallet_id_fkey foreign key (wallet_id, merchant_id)
    references wallet_owners (account_id, merchant_id)
);

create index funding_accounts_due_idx on funding_accounts (due_at) where due_at is not null;
create index funding_accounts_sweep_idx on funding_accounts (sweep_due_at) where status = 'active';
create unique index funding_accounts_customer_key on funding_accounts (provider, customer_hash);
create unique index funding_accounts_number_key on funding_accounts (provider, account_number);
create unique index funding_accounts_reference_key on funding_accounts (provider, reference);

-- Currencies in which a merchant may have a funding account. An operator sets them.
create table funding_currencies (
  merchant_id integer not null,
  environment text not null,
  currency text not null,
  enabled_at timestamptz not null default now(),
  constraint funding_currencies_pkey primary key (merchant_id, environment, currency),
  constraint funding_currencies_currency_check check (currency ~ '^[A-Z]{3}$'),
  constraint funding_currencies_environment_check check (environment in ('test', 'live')),
  constraint funding_currencies_merchant_id_fkey foreign key (merchant_id) references merchants (id)
);

-- The identity document as uploaded, sealed. It has its own table because it is large and never
-- read on a request.
create table funding_documents (
  merchant_id integer not null,
  environment text not null,
  media_type text not null,
  key_id text not null,
  sealed text not null,
  uploaded_at timestamptz not null default now(),
  constraint funding_documents_pkey primary key (merchant_id, environment),
  constraint funding_documents_environment_check check (environment in ('test', 'live')),
  constraint funding_documents_media_type_check check (
    media_type in ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')
  ),
  constraint funding_documents_merchant_id_fkey foreign key (merchant_id) references merchants (id)
);

-- A merchant's identity at its first registration: names, e-mail, phone, date of birth and BVN,
-- sealed together.
create table funding_identities (
  merchant_id integer not null,
  environment text not null,
  sealed text not null,
  -- The last two digits, for operators. Null if no BVN was given.
  bvn_ending text,
  updated_at timestamptz not null default now(),
  constraint funding_identities_pkey primary key (merchant_id, environment),
  constraint funding_identities_bvn_ending_check check (bvn_ending ~ '^[0-9]{2}$'),
  constraint funding_identities_environment_check check (environment in ('test', 'live')),
  constraint funding_identities_merchant_id_fkey foreign key (merchant_id) references merchants (id)
);

-- A hint that there may be a payment: a signed notice of the provider, or an entry of its list. A
-- hint never moves money: the payment is first read from the provider. One row per payment, however
-- often it is reported.
create table bank_notices (
  id bigint not null generated always as identity,
  provider text not null,
  -- The provider's own reference of the payment.
  reference text not null,
  source text not null,
  received_at timestamptz not null default now(),
  -- When to read it from the provider. In the future also while a process is reading it. Null when
  -- it is settled.
  due_at timestamptz default now(),
  tries integer not null default 0,
  -- deposited: a deposit exists for it. ignored: it was not a transfer to an account. not_paid: the
  -- provider never reported it as paid.
  outcome text,
  lease_id uuid,
  alarmed_at timestamptz,
  -- Since when the current check has been due. A settled payment may be reported again.
  open_since timestamptz not null default now(),
  constraint bank_notices_pkey primary key (id),
  constraint bank_notices_reference_key unique (provider, reference),
  constraint bank_notices_outcome_check check (outcome in ('deposited', 'ignored', 'not_paid')),
  constraint bank_notices_settled check ((outcome is null) = (due_at is not null)),
  constraint bank_notices_source_check check (source in ('notice', 'sweep'))
);

create index bank_notices_due_idx on bank_notices (due_at) where due_at is not null;

-- An incoming transfer, as read from the provider. Never changed. The key prevents the same
-- transfer from being booked twice.
create table deposits (
  id uuid not null,
  provider text not null,
  provider_reference text not null,
  environment text not null,
  currency text not null,
  -- The account it was paid to, as the provider names it.
  paid_to text not null,
  -- The owner of that account. Null: unknown, and the money is in suspense.
  merchant_id integer,
  gross bigint not null,
  -- Our fee; 0 while the deposit is in suspense.
  fee bigint not null,
  -- The amount that the provider will settle to us, if it reports one.
  settled bigint,
  paid_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint deposits_pkey primary key (id),
  constraint deposits_reference_key unique (provider, provider_reference),
  constraint deposits_currency_check check (currency ~ '^[A-Z]{3}$'),
  constraint deposits_environment_check check (environment in ('test', 'live')),
  constraint deposits_fee_within check (fee >= 0 and fee <= gross),
  constraint deposits_gross_positive check (gross > 0),
  constraint deposits_merchant_id_fkey foreign key (merchant_id) references merchants (id)
);

create index deposits_environment_idx on deposits (environment, id);
create index deposits_merchant_paid_idx on deposits (merchant_id, paid_at, id);
create index deposits_owner_idx on deposits (merchant_id, id);
create index deposits_paid_idx on deposits (paid_at, id);
create index deposits_provider_idx on deposits (provider, id);
create index deposits_provider_paid_idx on deposits (provider, paid_at, id);
create index deposits_suspense_idx on deposits (id) where merchant_id is null;

create trigger deposits_append_only
  before delete or update or truncate on deposits
  for each statement execute function refuse_change();

-- The merchant that an operator assigned a deposit in suspense to. Never changed: a mistake is
-- corrected by wallet corrections.
create table deposit_assignments (
  deposit_id uuid not null,
  merchant_id integer not null,
  fee bigint not null,
  assigned_at timestamptz not null default now(),
  constraint deposit_assignments_pkey primary key (deposit_id),
  constraint deposit_assignments_deposit_id_fkey foreign key (deposit_id) references deposits (id),
  constraint deposit_assignments_fee_check check (fee >= 0),
  constraint deposit_assignments_merchant_id_fkey foreign key (merchant_id) references merchants (id)
);

create index deposit_assignments_merchant_idx on deposit_assignments (merchant_id, deposit_id);

create trigger deposit_assignments_append_only
  before delete or update or truncate on deposit_assignments
  for each statement execute function refuse_change();

-- Payments at the sandbox bank, which serves test credentials: play money.
create table sandbox_transfers (
  reference text not null,
  account_number text not null,
  currency text not null,
  amount bigint not null,
  at timestamptz not null default now(),
  constraint sandbox_transfers_pkey primary key (reference),
  constraint sandbox_transfers_amount_check check (amount > 0)
);

-- ==================== Events and webhooks ===================================================

-- The highest position at a given time. The feed begins at the last mark that is older than the
-- retention of events, or at the first mark.
create table event_marks (
  at timestamptz not null default now(),
  position bigint not null,
  constraint event_marks_pkey primary key (at)
);

-- All events except successes, which are read from their transfers. `position` is a number of the
-- sequence of transfers, taken under the lock of the wallet that pays the merchant's purchases in
-- the environment. Null: a job assigns it. `facts` are JSON, with amounts in minor units as text.
-- In cells.
create table events (
  merchant_id integer not null,
  environment text not null,
  id uuid not null,
  type text not null,
  -- The purchase that it is about.
  purchase_id uuid,
  facts jsonb,
  at timestamptz not null default now(),
  position bigint,
  constraint events_pkey primary key (merchant_id, id),
  constraint events_environment_check check (environment in ('test', 'live'))
);

create index events_time_idx on events using brin (at timestamptz_minmax_multi_ops)
  with (pages_per_range = 16, autosummarize = on);
create index events_unplaced_idx on events (merchant_id, environment) where position is null;
create unique index events_position_key on events (merchant_id, environment, position);

-- A leased queue (src/db/queue). The endpoint is leased, and with it all its deliveries.
create table webhook_endpoints (
  id uuid not null,
  merchant_id integer not null,
  environment text not null,
  url text not null,
  description text not null default '',
  -- Empty: all events.
  types text[] not null default '{}',
  with_goods boolean not null default false,
  -- The version of its payloads.
  version text not null,
  -- Sealed. The old secret is also used to sign until it expires.
  secret text not null,
  old_secret text,
  old_secret_ends_at timestamptz,
  state text not null default 'enabled',
  -- Why it was disabled.
  reason text,
  disabled_at timestamptz,
  -- The position of the last event that was attempted.
  position bigint not null,
  -- Failed attempts since the last success, and since when.
  failures integer not null default 0,
  failing_since timestamptz,
  lane text not null default 'well',
  due_at timestamptz,
  lease_id uuid,
  tries integer not null default 0,
  alarmed_at timestamptz,
  created_at timestamptz not null default now(),
  constraint webhook_endpoints_pkey primary key (id, merchant_id),
  constraint webhook_endpoints_environment_check check (environment in ('test', 'live')),
  constraint webhook_endpoints_lane_check check (lane in ('well', 'failing')),
  constraint webhook_endpoints_merchant_fkey foreign key (merchant_id) references merchants (id),
  constraint webhook_endpoints_state_check check (state in ('enabled', 'disabled'))
);

create index webhook_endpoints_due_idx on webhook_endpoints (due_at) where due_at is not null;
create index webhook_endpoints_owner_idx on webhook_endpoints (merchant_id, environment, id);

-- The delivery of an event to an endpoint. The row is created with the first attempt; for a test
-- event or a replay, before it.
create table webhook_deliveries (
  merchant_id integer not null,
  environment text not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  purchase_id uuid,
  event_at timestamptz not null,
  state text not null,
  -- Null: no further attempt is made.
  due_at timestamptz,
  tries integer not null default 0,
  -- The last attempt: the HTTP status or the reason why there is none, and the beginning of the
  -- response.
  http_status integer,
  note text,
  answer text,
  duration_ms integer,
  tried_at timestamptz,
  created_at timestamptz not null default now(),
  constraint webhook_deliveries_pkey primary key (merchant_id, environment, id),
  constraint webhook_deliveries_event_key unique (endpoint_id, event_id, merchant_id),
  constraint webhook_deliveries_due check ((due_at is not null) = (state = 'waiting')),
  constraint webhook_deliveries_state_check check (state in ('waiting', 'delivered', 'failed'))
);

create index webhook_deliveries_due_idx on webhook_deliveries (endpoint_id, due_at) where due_at is not null;
create index webhook_deliveries_state_idx on webhook_deliveries (merchant_id, environment, state, id);
create index webhook_deliveries_time_idx
  on webhook_deliveries using brin (created_at timestamptz_minmax_multi_ops)
  with (pages_per_range = 16, autosummarize = on);
create index webhook_deliveries_purchase_idx on webhook_deliveries (purchase_id) where purchase_id <> event_id;

-- ==================== Alarms ================================================================

-- Conditions that need an operator's attention.
create table alarms (
  id bigint not null generated always as identity,
  at timestamptz not null default now(),
  kind text not null,
  merchant_id integer,
  purchase_id uuid,
  message text not null,
  acknowledged_at timestamptz,
  -- When the condition ended, if that can be detected.
  ended_at timestamptz,
  -- The account concerned.
  provider text,
  -- The deposit or the webhook endpoint concerned, depending on the kind.
  subject_id uuid,
  constraint alarms_pkey primary key (id)
);

create index alarms_open_idx on alarms (id) where acknowledged_at is null;
create index alarms_time_idx on alarms using brin (at) with (pages_per_range = 64, autosummarize = on);
create index alarms_purchase_idx on alarms (merchant_id, purchase_id);
create unique index alarms_open_backup_key on alarms (kind)
  where kind = 'backup_old' and acknowledged_at is null and ended_at is null;
-- The message begins with the name of the cell.
create unique index alarms_idle_cell_key on alarms (split_part(message, ':', 1))
  where kind = 'cell_idle' and ended_at is null;
-- A condition of a provider raises one alarm for as long as it lasts.
create unique index alarms_trouble_key on alarms (provider, kind)
  where ended_at is null and kind in ('provider_unwell', 'low_float', 'float_unknown', 'float_differs');

-- ==================== Reports, day close and margins ========================================

-- Totals of sales in kobo: charge, cost, and loss. The loss is a part of the cost.
create table money_totals (
  environment text not null,
  kind text not null,
  product text not null,
  provider text not null,
  amount bigint not null,
  constraint money_totals_pkey primary key (environment, kind, product, provider)
);

-- The last charge in kobo that a provider reported for an ordered amount. The amount is the face
-- value in kobo; for a card or an eSIM it is the price in minor units of its currency.
create table known_costs (
  environment text not null,
  product text not null,
  network text not null,
  provider text not null,
  -- The kind of airtime, or empty for `vtu`.
  plan_code text not null,
  currency text not null,
  amount bigint not null,
  cost bigint not null,
  at timestamptz not null,
  constraint known_costs_pkey primary key (environment, product, network, provider, plan_code),
  constraint known_costs_amount_check check (amount > 0)
);

-- Sales at a loss since their alarm was raised: one row and one open alarm for each group.
create table sale_losses (
  environment text not null,
  provider text not null,
  product text not null,
  network text not null,
  merchant_id integer not null,
  since timestamptz not null,
  last_at timestamptz not null,
  count bigint not null,
  charge bigint not null,
  cost bigint not null,
  last_purchase_id uuid not null,
  alarm_id bigint,
  -- The number of sales that the alarm states.
  told bigint not null default 0,
  constraint sale_losses_pkey primary key (environment, provider, product, network, merchant_id)
);

create table guards (
  environment text not null,
  product text not null,
  -- `*`: every network of the product without a guard of its own.
  network text not null,
  mode text not null,
  set_at timestamptz not null default now(),
  constraint guards_pkey primary key (environment, product, network),
  constraint guards_environment_check check (environment in ('test', 'live')),
  constraint guards_mode_check check (mode in ('off', 'alarm', 'stop'))
);

-- Outcomes of the last day in slots of five minutes: the health of providers over 24 hours,
-- rolled up with the reports (src/finance/reports/roll-up.ts).
create table recent_outcomes (
  -- The start of the five minutes.
  slot timestamptz not null,
  environment text not null,
  provider text not null,
  product text not null,
  network text not null,
  delivered boolean not null,
  -- The class of the provider's response time, as in report_times. -1: the time is unknown.
  latency_class smallint not null,
  count bigint not null,
  longest_ms bigint not null,
  constraint recent_outcomes_pkey primary key (slot, environment, provider, product, network, delivered, latency_class)
) with (
  fillfactor = 70
);

-- The results of each account, by the day on which purchases became final. An attempt that an
-- account refused also counts when another account delivered.
create table provider_days (
  environment text not null,
  day date not null,
  provider text not null,
  product text not null,
  network text not null,
  delivered bigint not null,
  -- Refused, not found, or not reached.
  refused bigint not null,
  -- Attempts without a final answer for more than 10 minutes.
  long_unknown bigint not null,
  -- The time of deliveries from accepted to final, each counted as 10 minutes at most.
  final_ms bigint not null,
  -- Deliveries whose cost the provider reported.
  face_value bigint not null,
  cost bigint not null,
  constraint provider_days_pkey primary key (environment, day, provider, product, network)
) with (
  fillfactor = 70
);

-- The last 30 days of each account, for routes and lists. A job recomputes it every minute
-- (src/finance/measures/measure-providers.ts).
create table provider_measures (
  environment text not null,
  provider text not null,
  product text not null,
  network text not null,
  -- As in provider_days, including purchases that have been pending for more than 10 minutes.
  delivered bigint not null,
  answers bigint not null,
  refusals bigint not null,
  long_unknown bigint not null,
  final_ms bigint not null,
  face_value bigint not null,
  cost bigint not null,
  -- Answers that the provider or its statement contradicted later, and how many of them were
  -- refusals.
  contradicted bigint not null,
  delivered_refusals bigint not null,
  -- Days on which the balance of the account differed from the books.
  differing_days integer not null,
  -- In kobo. Null: unknown.
  float_left bigint,
  float_hours float8,
  measured_at timestamptz not null default now(),
  constraint provider_measures_pkey primary key (environment, provider, product, network)
) with (
  fillfactor = 50
);

-- Purchases by the day on which they became final, which is also the day of their transfers.
create table report_sales (
  environment text not null,
  day date not null,
  -- The day on which they were accepted.
  accepted_day date not null,
  merchant_id integer not null,
  product text not null,
  network text not null,
  -- As plan_kind_of returns it.
  plan_kind text not null,
  -- `none` for a purchase that was sent to no provider.
  provider text not null,
  currency text not null,
  successes bigint not null,
  failures bigint not null,
  -- Failures that were refused immediately, without a hold.
  refused bigint not null,
  -- For successes only.
  face_value bigint not null,
  charge bigint not null,
  cost bigint not null,
  -- The part of the cost that the provider did not report.
  estimated_cost bigint not null,
  losses bigint not null,
  loss bigint not null,
  -- The amounts that were held for successes and failures.
  held bigint not null,
  -- Purchases that were accepted more than 30 s before the end of that day.
  waited bigint not null,
  constraint report_sales_pkey primary key (
    environment, day, accepted_day, merchant_id, product, network, plan_kind, provider, currency
  )
);

-- Purchases that were accepted on one day and became final on another. There are few.
create index report_sales_carried_idx on report_sales (environment, accepted_day, day)
  where accepted_day <> day;

create trigger report_sales_closed_insert
  after insert on report_sales
  referencing new table as new_rows
  for each statement execute function refuse_closed_day();

create trigger report_sales_closed_update
  after update on report_sales
  referencing old table as old_rows new table as new_rows
  for each statement execute function refuse_closed_day();

create trigger report_sales_closed_delete
  after delete on report_sales
  referencing old table as old_rows
  for each statement execute function refuse_closed_day();

create trigger report_sales_kept
  before truncate on report_sales
  for each statement execute function refuse_change();

-- Durations. `final`: from accepted to final. `refund`: the same for failures, whose money is
-- returned with the outcome. `latency`: of the provider's answer to the order.
create table report_times (
  environment text not null,
  day date not null,
  merchant_id integer not null,
  product text not null,
  network text not null,
  -- As plan_kind_of returns it.
  plan_kind text not null,
  provider text not null,
  currency text not null,
  measure text not null,
  -- Class 0 ends with the first of report_time_bounds.
  class smallint not null,
  count bigint not null,
  longest_ms bigint not null,
  constraint report_times_pkey primary key (
    environment, day, merchant_id, product, network, plan_kind, provider, currency, measure, class
  )
);

create trigger report_times_closed_insert
  after insert on report_times
  referencing new table as new_rows
  for each statement execute function refuse_closed_day();

create trigger report_times_closed_update
  after update on report_times
  referencing old table as old_rows new table as new_rows
  for each statement execute function refuse_closed_day();

create trigger report_times_closed_delete
  after delete on report_times
  referencing old table as old_rows
  for each statement execute function refuse_closed_day();

create trigger report_times_kept
  before truncate on report_times
  for each statement execute function refuse_change();

-- Money returned for successes, by the day of the return, with the day of the sale.
create table report_refunds (
  environment text not null,
  day date not null,
  sale_day date not null,
  kind text not null,
  merchant_id integer not null,
  product text not null,
  network text not null,
  -- As plan_kind_of returns it.
  plan_kind text not null,
  provider text not null,
  currency text not null,
  count bigint not null,
  amount bigint not null,
  constraint report_refunds_pkey primary key (
    environment, day, sale_day, kind, merchant_id, product, network, plan_kind, provider, currency
  )
);

create index report_refunds_later_idx on report_refunds (environment, sale_day, day) where sale_day <> day;

create trigger report_refunds_closed_insert
  after insert on report_refunds
  referencing new table as new_rows
  for each statement execute function refuse_closed_day();

create trigger report_refunds_closed_update
  after update on report_refunds
  referencing old table as old_rows new table as new_rows
  for each statement execute function refuse_closed_day();

create trigger report_refunds_closed_delete
  after delete on report_refunds
  referencing old table as old_rows
  for each statement execute function refuse_closed_day();

create trigger report_refunds_kept
  before truncate on report_refunds
  for each statement execute function refuse_change();

-- Transfers by day, code and the two accounts.
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

create trigger report_ledger_closed_insert
  after insert on report_ledger
  referencing new table as new_rows
  for each statement execute function refuse_closed_day();

create trigger report_ledger_closed_update
  after update on report_ledger
  referencing old table as old_rows new table as new_rows
  for each statement execute function refuse_closed_day();

create trigger report_ledger_closed_delete
  after delete on report_ledger
  referencing old table as old_rows
  for each statement execute function refuse_closed_day();

create trigger report_ledger_kept
  before truncate on report_ledger
  for each statement execute function refuse_change();

-- Each account's balance of the transfers that were rolled up: credits less debits.
create table report_balances (
  account_id bigint not null,
  balance bigint not null,
  constraint report_balances_pkey primary key (account_id)
);

-- A closed day: what was pending at its end, and the hash of all its figures. The hash is chained
-- to the closed day before and to the end of the audit log.
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

create trigger closed_days_append_only
  before delete or update or truncate on closed_days
  for each statement execute function refuse_change();

-- Each account's balance at the end of a closed day: credits less debits.
create table closed_balances (
  environment text not null,
  day date not null,
  account_id bigint not null,
  balance bigint not null,
  constraint closed_balances_pkey primary key (environment, day, account_id)
);

create trigger closed_balances_append_only
  before delete or update or truncate on closed_balances
  for each statement execute function refuse_change();

-- ==================== Reconciliation ========================================================

create table reconciliation_runs (
  id uuid not null,
  party text not null,
  environment text not null,
  -- `file`, `list`, or `questions` if each unresolved order was queried.
  source text not null,
  file_name text,
  from_at timestamptz not null,
  to_at timestamptz not null,
  applied boolean not null,
  lines bigint not null,
  differences bigint not null,
  summary jsonb not null,
  run_by text not null,
  run_principal text not null,
  started_at timestamptz not null,
  at timestamptz not null default now(),
  -- The time up to which the list or file contains every order. Null if it is not known to be
  -- complete.
  covered tstzrange,
  constraint reconciliation_runs_pkey primary key (id),
  constraint reconciliation_runs_environment_check check (environment in ('test', 'live')),
  constraint reconciliation_runs_source_check check (source in ('file', 'list', 'questions'))
);

create index reconciliation_runs_party_idx on reconciliation_runs (party, id);

create trigger reconciliation_runs_append_only
  before delete or update or truncate on reconciliation_runs
  for each statement execute function refuse_change();

create table reconciliation_differences (
  run_id uuid not null,
  number integer not null,
  kind text not null,
  line bigint,
  reference text,
  provider_id text,
  merchant_id integer,
  purchase_id uuid,
  at timestamptz not null,
  -- The amount concerned, and how much less money there is than the books state; in minor units.
  amount bigint not null,
  effect bigint not null,
  here text not null,
  there text not null,
  applied text,
  -- For an order that is not known here, as its provider listed it. Null for other differences.
  listed jsonb,
  -- open: waits for a person. entered: its purchase was entered. attempt: recorded as an attempt of
  -- a known purchase. dismissed: a person dismissed it. repeated: a later run reported it.
  verdict text,
  -- Why it is open.
  reason text,
  constraint reconciliation_differences_pkey primary key (run_id, number),
  constraint reconciliation_differences_run_fkey foreign key (run_id) references reconciliation_runs (id),
  constraint reconciliation_differences_verdict_check
    check (verdict in ('open', 'entered', 'attempt', 'dismissed', 'repeated'))
);

create index reconciliation_differences_told_idx on reconciliation_differences (at)
  where (purchase_id is null and (there <> '' or listed ? 'recipient'));
create index reconciliation_differences_finding_idx on reconciliation_differences (reference)
  where verdict is not null;
create index reconciliation_differences_open_idx on reconciliation_differences (run_id)
  where verdict = 'open';
create index reconciliation_differences_purchase_idx on reconciliation_differences (merchant_id, purchase_id);

create trigger reconciliation_differences_append_only
  before delete or truncate on reconciliation_differences
  for each statement execute function refuse_change();

-- The resolution of an open finding is stored once. Texts of providers and banks may contain
-- personal data, which retention removes.
create trigger reconciliation_differences_never_change
  before update on reconciliation_differences
  for each row
  when (
    old.verdict is distinct from 'open'
    or to_jsonb(new) - '{verdict,reason,merchant_id,purchase_id}'::text[]
      is distinct from to_jsonb(old) - '{verdict,reason,merchant_id,purchase_id}'::text[]
  )
  execute function allow_anonymising('there', 'listed');

-- ==================== Users, sessions and approvals =========================================

-- The operator's own users have no merchant. An e-mail address can belong to one user of the
-- operator and to one user of each merchant.
create table users (
  id uuid not null,
  merchant_id integer,
  -- In lower case.
  email text not null,
  name text not null,
  roles text[] not null,
  -- An argon2id hash with its parameters. Null until the invitation is accepted.
  password text,
  suspended_at timestamptz,
  created_at timestamptz not null default now(),
  created_by text not null,
  signed_in_at timestamptz,
  constraint users_pkey primary key (id),
  constraint users_email_check check (email = lower(email)),
  constraint users_merchant_fkey foreign key (merchant_id) references merchants (id)
);

create index users_merchant_idx on users (merchant_id, id);
create unique index users_email_key on users (email, coalesce(merchant_id, 0));

-- Whether the user gets an e-mail when the merchant's wallet becomes low.
create table wallet_alert_recipients (
  merchant_id integer not null,
  wallet_id bigint not null,
  user_id uuid not null,
  constraint wallet_alert_recipients_pkey primary key (merchant_id, wallet_id, user_id),
  constraint wallet_alert_recipients_alert_fkey foreign key (wallet_id, merchant_id)
    references wallet_alerts (wallet_id, merchant_id) on delete cascade,
  constraint wallet_alert_recipients_user_fkey foreign key (user_id) references users (id)
);

create index wallet_alert_recipients_alert_idx on wallet_alert_recipients (wallet_id);
create index wallet_alert_recipients_user_idx on wallet_alert_recipients (user_id);

-- Links that work once: invitations, new passwords and, in the demo, signing in.
create table user_links (
  hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint user_links_pkey primary key (hash),
  constraint user_links_purpose_check check (purpose in ('invitation', 'reset', 'sign_in')),
  constraint user_links_user_fkey foreign key (user_id) references users (id)
);

create index user_links_end_idx on user_links (expires_at);
create index user_links_user_idx on user_links (user_id, purpose);

-- E-mails to users. A sign-in link is created when the e-mail is sent, and is not stored.
create table user_mails (
  id uuid not null,
  face text not null,
  purpose text not null,
  -- Null if somebody requested a new password and the address is not known to be a user's.
  user_id uuid,
  email text not null,
  due_at timestamptz,
  lease_id uuid,
  tries integer not null default 0,
  alarmed_at timestamptz,
  changed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  -- The operation that waits for approval. Its e-mails are stored in the same transaction.
  approval_id uuid,
  -- The wallet that is low.
  wallet_id bigint,
  constraint user_mails_pkey primary key (id),
  constraint user_mails_purpose_check check (purpose in ('invitation', 'reset', 'approval', 'wallet_low')),
  constraint user_mails_approval_check check ((purpose = 'approval') = (approval_id is not null)),
  constraint user_mails_wallet_check check ((purpose = 'wallet_low') = (wallet_id is not null))
);

create index user_mails_due_idx on user_mails (due_at) where due_at is not null;
create unique index user_mails_approval_idx on user_mails (approval_id, user_id) where approval_id is not null;
create unique index user_mails_wallet_idx on user_mails (wallet_id, user_id) where wallet_id is not null;

create table user_passkeys (
  id text not null,
  user_id uuid not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  label text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  constraint user_passkeys_pkey primary key (id),
  constraint user_passkeys_user_fkey foreign key (user_id) references users (id)
);

create index user_passkeys_user_idx on user_passkeys (user_id);

create table user_recovery_codes (
  user_id uuid not null,
  hash bytea not null,
  used_at timestamptz,
  constraint user_recovery_codes_pkey primary key (user_id, hash),
  constraint user_recovery_codes_user_fkey foreign key (user_id) references users (id)
);

-- A token is 256 random bits; its plain SHA-256 is stored. The token changes when the session does.
create table user_sessions (
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  -- Half open: the password was correct, and the second factor is still missing.
  state text not null,
  -- How it was opened: a password, a code, a recovery code, a passkey, a link.
  opened_by text not null,
  address text not null,
  agent text not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  stepped_up_until timestamptz,
  ended_at timestamptz,
  ended_by text,
  constraint user_sessions_pkey primary key (id),
  constraint user_sessions_token_key unique (token_hash),
  constraint user_sessions_state_check check (state in ('half', 'open')),
  constraint user_sessions_user_fkey foreign key (user_id) references users (id)
);

create index user_sessions_end_idx on user_sessions (expires_at);
create index user_sessions_user_idx on user_sessions (user_id, id);

-- The seed is sealed. An unconfirmed seed is not accepted as a factor.
create table user_totps (
  id uuid not null,
  user_id uuid not null,
  secret text not null,
  confirmed_at timestamptz,
  -- The time step of the last accepted code. Codes of this step or an earlier one are refused.
  last_step bigint,
  created_at timestamptz not null default now(),
  constraint user_totps_pkey primary key (id),
  constraint user_totps_user_fkey foreign key (user_id) references users (id)
);

create unique index user_totps_user_key on user_totps (user_id, (confirmed_at is null));

-- Challenges for authenticators to sign. Each can be answered once.
create table user_challenges (
  hash bytea not null,
  -- Who may answer: anyone who signs in, or one session.
  bound_to text not null,
  expires_at timestamptz not null,
  constraint user_challenges_pkey primary key (hash)
);

create index user_challenges_end_idx on user_challenges (expires_at);

-- Tokens for the admin API and for the command line, used in a user's own name. Only the SHA-256 of
-- the secret is stored, which has 256 random bits.
create table access_tokens (
  id text not null,
  name text not null,
  roles text[] not null,
  secret_hash bytea not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  constraint access_tokens_pkey primary key (id)
);

-- Operations that need a second person. The input waits here until somebody else approves it, and
-- then runs unchanged.
create table approvals (
  id uuid not null,
  operation text not null,
  input jsonb not null,
  -- The idempotency key of the operation, if it has one: the same operation is requested once.
  key text,
  asked_by text not null,
  asked_principal text not null,
  asked_edge text not null,
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '72 hours',
  -- The subject of the operation and what it gives away, as of the request: codes, references and
  -- amounts, no customer data.
  about jsonb,
  constraint approvals_pkey primary key (id)
);

create index approvals_key_idx on approvals (operation, key, id) where key is not null;

create trigger approvals_append_only
  before delete or update or truncate on approvals
  for each statement execute function refuse_change();

-- The primary key prevents a second decision.
create table approval_decisions (
  approval_id uuid not null,
  decision text not null,
  decided_by text not null,
  decided_principal text not null,
  decided_at timestamptz not null default now(),
  -- Why it was rejected.
  reason text,
  -- The output of the operation.
  output jsonb,
  constraint approval_decisions_pkey primary key (approval_id),
  constraint approval_decisions_approval_id_fkey foreign key (approval_id) references approvals (id),
  constraint approval_decisions_decision check (decision in ('approved', 'rejected'))
);

create trigger approval_decisions_append_only
  before delete or update or truncate on approval_decisions
  for each statement execute function refuse_change();

-- Live money that one person gave away by hand. The amount per day is limited
-- (`src/oversight/approvals/bound-gifts.ts`). Operations that a second person approved are not
-- counted.
create table gifts (
  id bigint not null generated always as identity,
  at timestamptz not null default now(),
  principal text not null,
  operation text not null,
  -- In kobo.
  amount bigint not null,
  constraint gifts_pkey primary key (id),
  constraint gifts_amount_positive check (amount > 0)
);

create index gifts_at_idx on gifts (at, principal, amount);

create trigger gifts_append_only
  before delete or update or truncate on gifts
  for each statement execute function refuse_change();

-- ==================== Operations, tasks and the audit log ===================================

-- Small values that a running gateway needs and nobody configures, for example the pepper of the
-- demo profile.
create table settings (
  name text not null,
  value text not null,
  constraint settings_pkey primary key (name)
);

-- Operations that ran under an idempotency key (src/backoffice/operations). The stored input
-- distinguishes a repetition from another operation, and the output is returned for a repetition.
create table operation_keys (
  operation text not null,
  key text not null,
  at timestamptz not null default now(),
  input jsonb not null,
  output jsonb not null,
  constraint operation_keys_pkey primary key (operation, key)
);

create trigger operation_keys_append_only
  before delete or update or truncate on operation_keys
  for each statement execute function refuse_change();

create table tasks (
  id uuid not null,
  operation text not null,
  -- The input without long or secret parts.
  input jsonb not null,
  -- A hash of the whole input: the same task does not run twice at once.
  input_hash bytea not null,
  -- Whether the whole input is stored, so that the task can be started again unchanged.
  is_whole boolean not null,
  name text not null,
  principal text not null,
  -- The process that runs it.
  host text not null,
  pid integer not null,
  started_at timestamptz not null default now(),
  -- The process updates this while it lives. If it is old, the process has stopped.
  seen_at timestamptz not null default now(),
  step text,
  done bigint,
  unit text,
  -- Null while it runs.
  ended_at timestamptz,
  outcome text,
  output jsonb,
  -- Why it failed or stopped, as text.
  error text,
  constraint tasks_pkey primary key (id),
  constraint tasks_end_check check ((outcome is null) = (ended_at is null)),
  constraint tasks_outcome_check check (outcome in ('done', 'failed', 'stopped'))
);

create unique index tasks_running_key on tasks (operation, input_hash) where ended_at is null;

-- Every operation of an operator.
create table audit_log (
  id bigint not null generated always as identity,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  -- The authenticated principal, and the source of the operation. Null for operations of the
  -- gateway itself.
  principal text,
  edge text,
  constraint audit_log_pkey primary key (id)
);

create index audit_log_action_at_idx on audit_log (action, at, id);
create index audit_log_actor_action_at_idx on audit_log (actor, action, at, id);
create index audit_log_actor_at_idx on audit_log (actor, at, id);
create index audit_log_actor_kind_at_idx on audit_log (actor, split_part(action, '.', 1), at, id);
create index audit_log_at_idx on audit_log (at, id);
create index audit_log_edge_at_idx on audit_log (edge, at, id) where edge is not null;
create index audit_log_kind_at_idx on audit_log (split_part(action, '.', 1), at, id);
create index audit_log_principal_action_at_idx on audit_log (principal, action, at, id)
  where principal is not null;
create index audit_log_principal_at_idx on audit_log (principal, at, id) where principal is not null;
create index audit_log_principal_kind_at_idx on audit_log (principal, split_part(action, '.', 1), at, id)
  where principal is not null;
create index audit_log_subject_at_idx on audit_log (subject, at, id);

create trigger audit_log_append_only
  before delete or update or truncate on audit_log
  for each statement execute function refuse_change();

-- Also for each row: the trigger for statements does not fire for a statement on a parent table to
-- which this one was attached. Always: also in a session that claims to be a replica.
create trigger audit_log_append_only_row
  before delete or update on audit_log
  for each row execute function refuse_change();

create constraint trigger audit_log_chained
  after insert on audit_log deferrable initially deferred
  for each row execute function chain_audit_entry();

-- A link of the chain per entry, in the order in which entries were committed.
create table audit_log_chain (
  position bigint not null,
  entry_id bigint not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_log_chain_pkey primary key (position),
  constraint audit_log_chain_entry_key unique (entry_id)
);

create trigger audit_log_chain_append_only
  before delete or update or truncate on audit_log_chain
  for each statement execute function refuse_change();

create trigger audit_log_chain_append_only_row
  before delete or update on audit_log_chain
  for each row execute function refuse_change();

-- The findings of each audit. A clean audit also stores the end of the audit log that it saw.
create table audit_runs (
  id bigint not null generated always as identity,
  started_at timestamptz not null,
  ended_at timestamptz not null default now(),
  failed text[] not null,
  audit_log jsonb,
  constraint audit_runs_pkey primary key (id)
);

-- ==================== Restores, recorded backups and retention ==============================

-- One row: the identity of this database.
create table database_life (
  one boolean not null default true,
  -- The server on which the database runs, and the database's id there.
  system_identifier text not null,
  database_oid bigint not null,
  -- When the first gateway started on it.
  started_at timestamptz not null default now(),
  constraint database_life_pkey primary key (one),
  constraint database_life_one_check check (one)
);

-- The last heartbeat of each process; one per second. A process whose own count is higher than its
-- row knows that the database was rewound. Rows are kept for 30 days.
create table database_beats (
  process uuid not null,
  count bigint not null,
  at timestamptz not null default now(),
  constraint database_beats_pkey primary key (process)
) with (
  fillfactor = 20
);

create table restore_locks (
  id uuid not null,
  cause text not null,
  -- The cause, so that one cause locks the database once.
  source text not null,
  reason text not null,
  -- Rows that were stored after this time may be missing.
  lost_from timestamptz not null,
  raised_at timestamptz not null default now(),
  raised_by text not null,
  -- Null while the lock is active.
  lifted_at timestamptz,
  lifted_by text,
  constraint restore_locks_pkey primary key (id),
  constraint restore_locks_source_key unique (source),
  constraint restore_locks_cause_check check (cause in ('copied', 'went_back', 'by_hand'))
);

-- One lock is active at a time.
create unique index restore_locks_up_idx on restore_locks ((true)) where lifted_at is null;

-- Purchases that were entered from a provider's list, under a generated reference until the
-- merchant's own is known. The mark in the provider's reference identifies the purchase.
-- In cells.
create table entered_purchases (
  merchant_id integer not null,
  environment text not null,
  purchase_id uuid not null,
  mark text not null,
  -- Null until the merchant has named it.
  named_at timestamptz,
  constraint entered_purchases_pkey primary key (merchant_id, environment, mark)
);

create index entered_purchases_nameless_idx on entered_purchases (merchant_id) where named_at is null;

-- Backups of this database, as reported by the tool that took them. A restored database knows those
-- before it.
create table backups (
  id text not null,
  -- The backup contains everything committed before this time.
  taken_at timestamptz not null,
  -- The name of the folder or repository, without its path.
  target text not null,
  -- When it was restored as a check.
  verified boolean not null,
  recorded_at timestamptz not null default now(),
  constraint backups_pkey primary key (id)
);

create index backups_taken_idx on backups (taken_at);

-- The progress of each kind of retention through the purchases of a merchant, by id.
create table retention_marks (
  kind text not null,
  merchant_id integer not null,
  purchase_id uuid not null,
  constraint retention_marks_pkey primary key (kind, merchant_id)
);

-- Purchases that were skipped because they were not final.
create table retention_left (
  kind text not null,
  merchant_id integer not null,
  purchase_id uuid not null,
  constraint retention_left_pkey primary key (kind, merchant_id, purchase_id)
);

-- Also in a session that claims to be a replica.
alter table audit_log
  enable always trigger audit_log_append_only,
  enable always trigger audit_log_append_only_row;
alter table audit_log_chain
  enable always trigger audit_log_chain_append_only,
  enable always trigger audit_log_chain_append_only_row;
alter table report_sales
  enable always trigger report_sales_closed_insert,
  enable always trigger report_sales_closed_update,
  enable always trigger report_sales_closed_delete,
  enable always trigger report_sales_kept;
alter table report_times
  enable always trigger report_times_closed_insert,
  enable always trigger report_times_closed_update,
  enable always trigger report_times_closed_delete,
  enable always trigger report_times_kept;
alter table report_refunds
  enable always trigger report_refunds_closed_insert,
  enable always trigger report_refunds_closed_update,
  enable always trigger report_refunds_closed_delete,
  enable always trigger report_refunds_kept;
alter table report_ledger
  enable always trigger report_ledger_closed_insert,
  enable always trigger report_ledger_closed_update,
  enable always trigger report_ledger_closed_delete,
  enable always trigger report_ledger_kept;
alter table closed_days
  enable always trigger closed_days_append_only;
alter table closed_balances
  enable always trigger closed_balances_append_only;

-- ==================== Initial rows ==========================================================

-- Where the background job of the search begins, and the rows that retention and the roll-up lock
-- in order to run once.
insert into settings (name, value) values
  ('search_progress', '{"up_to": "-infinity", "read_from": "-infinity"}'),
  ('retention', 'one process at a time'),
  ('roll_up', 'one process at a time');

insert into roll_up_checkpoints (at) values ('-infinity');

insert into event_marks (position) values (0);
