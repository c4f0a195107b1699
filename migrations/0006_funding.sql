-- Bank accounts that merchants pay into, what came in on them, and the notices that tell of it.

-- In which currencies a merchant may have a funding account. An operator says so.
create table funding_currencies (
  merchant_id integer not null references merchants,
  environment text not null check (environment in ('test', 'live')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  enabled_at timestamptz not null default now(),
  primary key (merchant_id, environment, currency)
);

-- Who a merchant said it is, at its first registration: names, e-mail, phone, date of birth and BVN, sealed as one.
create table funding_identities (
  merchant_id integer not null references merchants,
  environment text not null check (environment in ('test', 'live')),
  sealed text not null,
  -- The last two digits, for operators; null where no BVN was given.
  bvn_ending text check (bvn_ending ~ '^[0-9]{2}$'),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, environment)
);

-- The identity document as uploaded, sealed. Apart from the rest, for it is large and never read on a request.
create table funding_documents (
  merchant_id integer not null references merchants,
  environment text not null check (environment in ('test', 'live')),
  media_type text not null check (media_type in ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')),
  key_id text not null,
  sealed text not null,
  uploaded_at timestamptz not null default now(),
  primary key (merchant_id, environment)
);

-- One account of a merchant, environment and currency. The row is committed before the bank is asked, so that after any crash the same
-- account is asked for again under the same reference.
create table funding_accounts (
  merchant_id integer not null references merchants,
  environment text not null check (environment in ('test', 'live')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  wallet_id bigint not null references wallets,
  provider text not null,
  -- Ours at the provider, derived from the merchant: there is never a second one.
  reference text not null,
  -- A keyed hash of the e-mail, where the provider knows its customers by nothing else: two merchants cannot share one.
  customer_hash text,
  -- requested: the bank may have been asked. pending: it works on it. refused: it said no, and says so again until the data changes.
  status text not null check (status in ('requested', 'pending', 'active', 'refused')),
  account_number text,
  account_name text,
  bank_name text,
  -- The provider's own id of the customer or account.
  provider_id text,
  refusal text,
  -- How often the bank was asked.
  asked integer not null default 0,
  -- A process is asking, until then at most.
  asking_until timestamptz,
  -- When to ask again. Null once it is settled.
  due_at timestamptz,
  created_at timestamptz not null default now(),
  active_at timestamptz,
  -- When to read the provider's list of payments, and when it was last read through.
  sweep_due_at timestamptz not null default now(),
  swept_at timestamptz,
  primary key (merchant_id, environment, currency),
  constraint funding_accounts_active_known check (
    status <> 'active'
    or (account_number is not null and account_name is not null and bank_name is not null)
  )
);

create unique index funding_accounts_reference_key on funding_accounts (provider, reference);
create unique index funding_accounts_number_key on funding_accounts (provider, account_number);
create unique index funding_accounts_customer_key on funding_accounts (provider, customer_hash);
create index funding_accounts_due_idx on funding_accounts (due_at) where due_at is not null;
create index funding_accounts_sweep_idx on funding_accounts (sweep_due_at) where status = 'active';

-- A hint that there may be a payment: from a signed notice of the provider, or from its list. Nothing in it moves money: the payment is
-- read back from the provider first. One row a payment, however often it is told.
create table bank_notices (
  id bigint generated always as identity primary key,
  provider text not null,
  -- The provider's own reference of the payment.
  reference text not null,
  source text not null check (source in ('notice', 'sweep')),
  received_at timestamptz not null default now(),
  -- When to read it back; in the future also while a process does. Null once it is settled.
  due_at timestamptz default now(),
  tries integer not null default 0,
  -- deposited: there is a deposit of it. ignored: no transfer to an account. not_paid: the provider never called it paid.
  outcome text check (outcome in ('deposited', 'ignored', 'not_paid')),
  constraint bank_notices_reference_key unique (provider, reference),
  constraint bank_notices_settled check ((outcome is null) = (due_at is not null))
);

create index bank_notices_due_idx on bank_notices (due_at) where due_at is not null;

-- A transfer that came in, as read back from the provider. Never changed. The key makes it impossible to take the same one in twice.
create table deposits (
  id uuid primary key,
  provider text not null,
  provider_reference text not null,
  environment text not null check (environment in ('test', 'live')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The account it was paid to, in the provider's words.
  paid_to text not null,
  -- Whose account that is; null where it is nobody's, and the money is in suspense.
  merchant_id integer references merchants,
  gross bigint not null constraint deposits_gross_positive check (gross > 0),
  -- What is taken from it for the house; 0 while it is in suspense.
  fee bigint not null,
  -- What the provider says it will settle to us, where it says so.
  settled bigint,
  paid_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint deposits_reference_key unique (provider, provider_reference),
  constraint deposits_fee_within check (fee between 0 and gross)
);

create index deposits_merchant_idx on deposits (merchant_id, environment, id);
create index deposits_suspense_idx on deposits (id) where merchant_id is null;

-- Whom an operator gave a deposit from suspense. Never changed: a mistake is corrected by wallet corrections.
create table deposit_assignments (
  deposit_id uuid primary key references deposits,
  merchant_id integer not null references merchants,
  fee bigint not null check (fee >= 0),
  assigned_at timestamptz not null default now()
);

-- What the sandbox bank, which serves test credentials, says was paid in: play money.
create table sandbox_transfers (
  reference text primary key,
  account_number text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  at timestamptz not null default now()
);

create index sandbox_transfers_account_idx on sandbox_transfers (account_number, at);

create trigger deposits_append_only before update or delete or truncate on deposits for each statement execute function refuse_change();
create trigger deposit_assignments_append_only before update or delete or truncate on deposit_assignments for each statement execute function refuse_change();
