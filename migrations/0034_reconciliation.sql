-- Our money at providers: what was sent there and taken there without an order, how fast it goes,
-- when to say that it is low; and the runs that compared the books with what providers and banks
-- tell.

-- One row for each top-up and each charge. Its transfer has its id as the subject. `reference` is the
-- provider's own id of the movement: it is booked once, by hand or by a reconciliation.
create table float_movements (
  id uuid not null,
  provider text not null,
  environment text not null,
  kind text not null,
  -- In kobo.
  amount bigint not null,
  -- As the provider counts it, where our account there is not in naira.
  foreign_amount bigint,
  foreign_currency text,
  -- The account on the other side: where a top-up came from, what a charge cost.
  other_account_id bigint not null,
  reference text,
  reason text not null,
  moved_at timestamptz not null,
  booked_by text not null,
  booked_principal text not null,
  at timestamptz not null default now(),
  constraint float_movements_pkey primary key (id),
  constraint float_movements_account_fkey foreign key (other_account_id) references accounts (id),
  constraint float_movements_environment_check check (environment in ('test', 'live')),
  constraint float_movements_kind_check check (kind in ('top_up', 'charge')),
  constraint float_movements_positive check (amount > 0 and foreign_amount > 0),
  constraint float_movements_foreign check ((foreign_amount is null) = (foreign_currency is null)),
  constraint float_movements_reference_key unique (provider, environment, reference)
);
create index float_movements_provider_idx on float_movements (provider, environment, id);
create trigger float_movements_append_only
  before update or delete or truncate on float_movements
  for each statement execute function refuse_change();

-- What all purchases together had cost at the beginning of an hour, by provider.
create table float_hours (
  provider text not null,
  environment text not null,
  hour timestamptz not null,
  cost bigint not null,
  constraint float_hours_pkey primary key (provider, environment, hour)
);

-- What an operator set: when to raise an alarm, and when to pause the provider.
create table float_limits (
  provider text not null,
  hours integer,
  -- In minor units of the account there, as is `pause_below`.
  amount bigint,
  -- In kobo: what the books and the provider may differ by.
  drift bigint,
  pause_below bigint,
  constraint float_limits_pkey primary key (provider),
  constraint float_limits_hours_check check (hours between 1 and 720),
  constraint float_limits_amounts_check check (amount > 0 and drift >= 0 and pause_below > 0)
);

-- Alarms of floats that go on, so that each is raised once.
create table float_troubles (
  provider text not null,
  kind text not null,
  since timestamptz not null default now(),
  alarm_id bigint,
  constraint float_troubles_pkey primary key (provider, kind),
  constraint float_troubles_kind_check check (kind in ('low_float', 'float_unknown', 'float_differs'))
);

create table reconciliation_runs (
  id uuid not null,
  party text not null,
  environment text not null,
  -- `file`, `list`, or `questions` where each order in doubt was asked about.
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
  constraint reconciliation_runs_pkey primary key (id),
  constraint reconciliation_runs_environment_check check (environment in ('test', 'live')),
  constraint reconciliation_runs_source_check check (source in ('file', 'list', 'questions'))
);
create index reconciliation_runs_party_idx on reconciliation_runs (party, id);
create trigger reconciliation_runs_append_only
  before update or delete or truncate on reconciliation_runs
  for each statement execute function refuse_change();

create table reconciliation_differences (
  run_id uuid not null,
  number integer not null,
  kind text not null,
  line bigint,
  reference text,
  provider_id text,
  merchant_id integer,
  vend_id uuid,
  at timestamptz not null,
  -- What it is about, and by how much the money there is less than the books say; in minor units.
  amount bigint not null,
  effect bigint not null,
  here text not null,
  there text not null,
  mend text,
  applied text,
  constraint reconciliation_differences_pkey primary key (run_id, number),
  constraint reconciliation_differences_run_fkey foreign key (run_id) references reconciliation_runs (id)
);
create trigger reconciliation_differences_append_only
  before update or delete or truncate on reconciliation_differences
  for each statement execute function refuse_change();
