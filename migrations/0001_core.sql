-- Merchants and their credentials, the catalog, the routes, the ledger, and the path of a vend.
--
-- Tables of the hot path (vends, attempts, pending_vends, provider_answers, vend_outcomes, transfers) are insert-only, but for
-- pending_vends, which holds exactly the vends that are not final. They carry merchant_id, and every unique key begins with it, so
-- that the schema can be distributed by merchant. They have no foreign keys: each would cost a look-up per row, and
-- `oja audit` checks what the keys would.

create table merchants (
  id integer generated always as identity primary key,
  code text not null constraint merchants_code_key unique,
  name text not null,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  constraint merchants_code_form check (code ~ '^[A-Za-z0-9_-]{2,40}$')
);

create table merchant_products (
  merchant_id integer not null references merchants,
  environment text not null check (environment in ('test', 'live')),
  product text not null,
  enabled_at timestamptz not null default now(),
  primary key (merchant_id, environment, product)
);

create table discounts (
  merchant_id integer not null references merchants,
  product text not null,
  network text not null,
  basis_points integer not null check (basis_points between 0 and 10000),
  primary key (merchant_id, product, network)
);

create table credentials (
  key_id text primary key,
  merchant_id integer not null references merchants,
  environment text not null check (environment in ('test', 'live')),
  -- HMAC-SHA-256 of the secret under the server's pepper; the secret itself is nowhere.
  secret_hash bytea not null,
  label text not null default '',
  allowed_ips cidr[] not null default '{}',
  rate_limit_per_s integer check (rate_limit_per_s >= 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);

create index credentials_merchant_idx on credentials (merchant_id, environment);

-- Small values a running gateway needs and nobody configures, for example the pepper of the demo profile.
create table settings (
  name text primary key,
  value text not null
);

create table plans (
  plan_code text primary key,
  id integer not null constraint plans_id_key unique,
  product text not null,
  network text not null,
  name text not null,
  description text not null,
  price bigint not null check (price > 0),
  tariff_type_id text not null,
  legacy_product_id text,
  validity text not null,
  size text not null,
  plan_group text not null,
  short_code text not null,
  provider_codes jsonb not null default '{}',
  active boolean not null default true,
  position integer not null
);

-- Which providers serve a product, in order. '*' stands for every network of the product.
create table routes (
  environment text not null check (environment in ('test', 'live')),
  product text not null,
  network text not null,
  position smallint not null check (position >= 1),
  provider text not null,
  primary key (environment, product, network, position)
);

-- Chart of accounts: one row an account, named by src/chart-of-accounts.ts.
create table accounts (
  id bigint generated always as identity primary key,
  code text not null constraint accounts_code_key unique,
  kind text not null,
  environment text not null check (environment in ('test', 'live')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  merchant_id integer references merchants
);

-- The counters of a merchant's wallet, locked for each batch that moves its money.
create table wallets (
  account_id bigint primary key references accounts,
  merchant_id integer not null references merchants,
  environment text not null check (environment in ('test', 'live')),
  currency text not null,
  posted bigint not null default 0,
  held bigint not null default 0,
  floor bigint not null default 0,
  created_at timestamptz not null default now(),
  constraint wallets_owner_key unique (merchant_id, environment, currency),
  constraint wallets_held_positive check (held >= 0),
  constraint wallets_above_floor check (posted - held >= floor)
) with (fillfactor = 50);

-- One immutable movement of money. The key makes it impossible to post the same leg of the same subject twice.
create table transfers (
  id bigint generated always as identity,
  -- The merchant whose business it is; 0 where the house moves money between its own accounts.
  merchant_id integer not null,
  -- The vend, deposit or correction it belongs to.
  subject_id uuid not null,
  code text not null,
  debit_account_id bigint not null,
  credit_account_id bigint not null,
  amount bigint not null,
  memo text,
  created_at timestamptz not null default now(),
  primary key (merchant_id, subject_id, code),
  constraint transfers_amount_positive check (amount > 0),
  constraint transfers_two_accounts check (debit_account_id <> credit_account_id)
);

create index transfers_merchant_order_idx on transfers (merchant_id, id);

-- House accounts are never locked by a purchase: a batch leaves its net effect as one delta per account, and the roll-up consumes
-- deltas into the checkpoint. Balance = checkpoint + deltas, in one snapshot. Both are credits less debits.
create table house_balances (
  account_id bigint primary key references accounts,
  balance bigint not null default 0,
  rolled_up_at timestamptz not null default now()
);

create table house_deltas (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  delta bigint not null
);

-- A purchase, as accepted. Never changed.
create table vends (
  merchant_id integer not null,
  environment text not null,
  id uuid not null,
  -- The merchant's idempotency key.
  reference text not null,
  product text not null,
  network text not null,
  plan_code text,
  -- As the merchant sent it, and normalised.
  msisdn text not null,
  recipient text not null,
  face_value bigint not null,
  charge bigint not null,
  wallet_id bigint not null,
  mode text not null,
  -- Provider names in order, comma-separated: decided once, at accept.
  route text not null,
  -- What the provider call needs besides: the plan's provider codes, the customer's phone.
  details jsonb,
  credential_id text not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, environment, id),
  constraint vends_amounts check (face_value > 0 and charge >= 0)
);

create unique index vends_reference_key on vends (merchant_id, environment, reference);
create index vends_recipient_idx on vends (merchant_id, environment, recipient, id);

-- One call that may reach a provider. Committed before the call.
create table attempts (
  merchant_id integer not null,
  vend_id uuid not null,
  number smallint not null,
  provider text not null,
  reference text not null,
  -- Why this provider.
  reason text not null,
  started_at timestamptz not null default now(),
  primary key (merchant_id, vend_id, number)
);

-- A provider's callback names our reference only.
create index attempts_reference_idx on attempts (reference);

-- The vends that are not final: what each holds on its wallet, and what is to be done next.
create table pending_vends (
  merchant_id integer not null,
  environment text not null,
  vend_id uuid not null,
  wallet_id bigint not null,
  charge bigint not null,
  -- 'send': no attempt is under way, a provider may be called. 'query': an attempt may have reached its provider; only asking may finish it.
  step text not null check (step in ('send', 'query')),
  -- When a worker may take it. Null while the process that accepted it works on it.
  due_at timestamptz,
  -- The gateway process at work on it.
  owner uuid,
  attempts smallint not null default 0,
  queries integer not null default 0,
  not_found smallint not null default 0,
  flagged_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (merchant_id, vend_id)
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

create index pending_vends_due_idx on pending_vends (due_at) where due_at is not null;

-- Every answer about a vend, whoever brought it: the evidence.
create table provider_answers (
  merchant_id integer not null,
  vend_id uuid not null,
  attempt smallint not null,
  source text not null check (source in ('vend', 'query', 'callback', 'operator', 'gateway')),
  kind text not null,
  code text not null,
  message text not null,
  provider_id text,
  latency_ms integer,
  at timestamptz not null default now()
);

create index provider_answers_vend_idx on provider_answers (merchant_id, vend_id);

-- The final word on a vend: one row, once.
create table vend_outcomes (
  merchant_id integer not null,
  environment text not null,
  vend_id uuid not null,
  status text not null check (status in ('success', 'failed')),
  -- delivered | refused | insufficient_funds | not_found | not_sent
  reason text not null,
  message text not null,
  telco_message text,
  provider text,
  -- What the provider took, in kobo.
  cost bigint,
  goods jsonb,
  at timestamptz not null default now(),
  primary key (merchant_id, vend_id)
);

create index vend_outcomes_status_idx on vend_outcomes (merchant_id, environment, status, vend_id);

-- Counts for total_items of a list: 'accepted' counts every vend, 'success' and 'failed' the final ones.
create table vend_counts (
  merchant_id integer not null,
  environment text not null,
  network text not null,
  status text not null check (status in ('accepted', 'success', 'failed')),
  count bigint not null,
  primary key (merchant_id, environment, network, status)
) with (fillfactor = 50);

-- Gateway processes that are alive; what a dead one left is taken over.
create table gateways (
  id uuid primary key,
  role text not null,
  host text not null,
  pid integer not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- What an operator must look at.
create table alarms (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  kind text not null,
  merchant_id integer,
  vend_id uuid,
  message text not null,
  acknowledged_at timestamptz
);

-- Every act of an operator.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb
);

create function refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception '% is append-only', tg_table_name;
end
$$;

create trigger transfers_append_only before update or delete or truncate on transfers for each statement execute function refuse_change();
create trigger audit_log_append_only before update or delete or truncate on audit_log for each statement execute function refuse_change();
create trigger provider_answers_append_only before update or delete or truncate on provider_answers for each statement execute function refuse_change();
create trigger vends_append_only before update or delete or truncate on vends for each statement execute function refuse_change();
create trigger attempts_append_only before update or delete or truncate on attempts for each statement execute function refuse_change();

-- Test credentials are always served by the sandbox.
insert into routes (environment, product, network, position, provider)
values
  ('test', 'airtime', '*', 1, 'sandbox'),
  ('test', 'data', '*', 1, 'sandbox');
