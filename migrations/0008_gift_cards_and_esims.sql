-- The catalog of gift cards and eSIMs, the exchange rates they are priced with, and the history of every change of the catalog.

-- What a unit of a foreign currency costs. Append-only: the newest row of a currency counts, the others are its history.
create table fx_rates (
  id bigint generated always as identity primary key,
  currency text not null check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AED')),
  -- Millionths of a naira for one unit: 1,545.25 naira a dollar is 1545250000.
  rate_micro bigint not null check (rate_micro > 0),
  -- What is charged above the rate.
  margin_basis_points integer not null check (margin_basis_points between 0 and 10000),
  actor text not null,
  at timestamptz not null default now()
);

create index fx_rates_newest_idx on fx_rates (currency, id desc);

create trigger fx_rates_append_only before update or delete or truncate on fx_rates for each statement execute function refuse_change();

-- Never deleted, only withdrawn, since vends name them for ever. Amounts are minor units of `currency`.
create table gift_card_plans (
  plan_id integer primary key check (plan_id > 0),
  title text not null,
  brand text not null,
  -- The country it is redeemed in, ISO 3166-1 alpha-2; null where it is not one country.
  region text check (region ~ '^[A-Z]{2}$'),
  ui_category text not null,
  currency text not null check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AED')),
  face_value bigint,
  min_price bigint,
  max_price bigint,
  featured boolean not null default false,
  -- What the catalog itself says; a provider that can be asked has the last word on the first two.
  fulfillment text not null default 'immediate' check (fulfillment in ('immediate', 'standard', 'out_of_stock', 'preorder')),
  -- On sale to test credentials alone.
  test_only boolean not null default false,
  provider_codes jsonb not null default '{}',
  active boolean not null default true,
  position integer not null,
  constraint gift_card_plans_value check (
    case
      when face_value is not null then face_value > 0 and min_price is null and max_price is null
      else min_price is not null and max_price is not null and 0 < min_price and min_price <= max_price
    end
  )
);

create table esim_plans (
  plan_id text primary key check (plan_id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$'),
  title text not null,
  -- ISO 3166-1 alpha-2; null where it serves more than one country.
  country text check (country ~ '^[A-Z]{2}$'),
  region text not null,
  -- Megabytes, a thousand to the gigabyte.
  data_mb integer not null check (data_mb > 0),
  duration_days integer not null check (duration_days > 0),
  currency text not null check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AED')),
  price bigint not null check (price > 0),
  test_only boolean not null default false,
  provider_codes jsonb not null default '{}',
  active boolean not null default true,
  position integer not null
);

-- What an import or a comparison with a provider changed, a row a plan or biller.
create table catalog_changes (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  -- The file or the provider it came from.
  source text not null,
  product text not null,
  -- The plan's code or id, or the biller's network.
  subject text not null,
  -- The record in the words of the import format; null where it was not there.
  before jsonb,
  after jsonb not null
);

create index catalog_changes_subject_idx on catalog_changes (product, subject, id);

create trigger catalog_changes_append_only before update or delete or truncate on catalog_changes for each statement execute function refuse_change();
