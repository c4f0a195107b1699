-- Providers as the operator handles them: paused, shared out, their credentials changed while
-- gateways run, and watched.

-- Of the purchases of a route, the part of each provider that has one: by weight. Null: it is tried
-- only where the others cannot serve.
alter table routes
  add column share smallint,
  add constraint routes_share_check check (share between 1 and 1000);

-- What is not sent to a provider any more. `*` stands for every product, or every network.
create table provider_pauses (
  provider text not null,
  product text not null,
  network text not null,
  reason text not null,
  paused_by text not null,
  at timestamptz not null default now(),
  constraint provider_pauses_pkey primary key (provider, product, network)
);

-- Settings of providers that take the place of those in the environment of the gateways. The row
-- with the highest version counts; the one before it is kept to go back to. One whose names are
-- empty says that the environment alone counts.
create table provider_credentials (
  provider text not null,
  version integer not null,
  sealed text not null,
  -- Names and fingerprints, never a value.
  fingerprints jsonb not null,
  set_by text not null,
  at timestamptz not null default now(),
  constraint provider_credentials_pkey primary key (provider, version)
);

-- What each living process sees of each provider, written every two seconds.
create table provider_states (
  gateway_id uuid not null,
  provider text not null,
  at timestamptz not null,
  state jsonb not null,
  constraint provider_states_pkey primary key (gateway_id, provider),
  constraint provider_states_gateway_fkey foreign key (gateway_id) references gateways (id) on delete cascade
) with (fillfactor = 50);

-- Providers that are unwell at present, with the alarm that says so.
create table provider_troubles (
  provider text not null,
  since timestamptz not null default now(),
  alarm_id bigint,
  constraint provider_troubles_pkey primary key (provider)
);

-- When what an alarm is about was over, where that can be seen.
alter table alarms add column ended_at timestamptz;
