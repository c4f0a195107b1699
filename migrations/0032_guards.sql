-- What sales brought and cost: totals for metrics, what each provider took at last, sales at a loss
-- with their alarms, and guards that stop them. A background job adds up what purchases and deposits
-- leave (src/margins/add-up-money.ts).

-- Of a success: whether the provider did not say what it took, so that the cost is what was
-- expected. Null of a failed purchase, and of one that a version before stored.
alter table vend_outcomes
  add column cost_estimated boolean;

create table guards (
  environment text not null,
  product text not null,
  -- `*` for every network of the product without a guard of its own.
  network text not null,
  mode text not null,
  set_at timestamptz not null default now(),
  constraint guards_pkey primary key (environment, product, network),
  constraint guards_environment_check check (environment in ('test', 'live')),
  constraint guards_mode_check check (mode in ('off', 'alarm', 'stop'))
);

-- What a provider said that it took at last, in kobo, for an amount that was ordered: the face value
-- in kobo, or of a card or an eSIM the price in minor units of its currency.
create table known_costs (
  environment text not null,
  product text not null,
  network text not null,
  provider text not null,
  -- Empty where the product has no plans.
  plan_code text not null,
  currency text not null,
  amount bigint not null,
  cost bigint not null,
  at timestamptz not null,
  constraint known_costs_pkey primary key (environment, product, network, provider, plan_code),
  constraint known_costs_amount_check check (amount > 0)
);

create table money_totals (
  environment text not null,
  kind text not null,
  -- Empty of a deposit.
  product text not null,
  provider text not null,
  currency text not null,
  count bigint not null,
  amount bigint not null,
  constraint money_totals_pkey primary key (environment, kind, product, provider, currency)
);

-- Sales at a loss since their alarm was raised: one row and one open alarm each.
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
  last_vend_id uuid not null,
  alarm_id bigint,
  -- How many of them the alarm tells of.
  told bigint not null default 0,
  constraint sale_losses_pkey primary key (environment, provider, product, network, merchant_id)
);

-- How far each source of totals is added up. A round adds what its cut sees and the round before did
-- not. It goes through the history by time, from `from_at` on, in slices that end at `place_at`.
create table money_marks (
  source text constraint money_marks_pkey primary key,
  from_at timestamptz not null,
  seen text,
  cut text,
  place_at timestamptz,
  next_from_at timestamptz
);

-- Whether a snapshot saw the row that a transaction inserted. A row names its transaction by the
-- lower half of its number: the whole is the one that is nearest to the snapshot's.
create or replace function is_seen(p_xmin xid, p_by pg_snapshot)
returns boolean
language sql
immutable
as $$
  select pg_visible_in_snapshot(
    (
      pg_snapshot_xmax(p_by)::text::bigint
        + (p_xmin::text::bigint - (pg_snapshot_xmax(p_by)::text::bigint & 4294967295) + 6442450944) % 4294967296
        - 2147483648
    )::text::xid8,
    p_by
  );
$$;

-- An upgrade begins with the sales of the day before.
insert into money_marks (source, from_at)
select source, case when exists (select from vend_outcomes) then now() - interval '1 day' else now() end
from (values ('sales'), ('deposits'), ('refunds')) as s(source);

-- Small, and so built at once.
create index deposits_time_idx on deposits using brin (created_at) with (pages_per_range = 64, autosummarize = on);

-- Open alarms of sales at a loss are told apart by sale_losses.
drop index alarms_below_cost_key;
