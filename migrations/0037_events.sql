-- Events of merchants, the feed that lists them, and webhooks
-- (docs/decisions/0330-the-feed-reads-what-purchases-leave.md).

-- All events but those of successes: a success is told by its transfers. `position` is a number of
-- the sequence of transfers, taken under the lock of the wallet that the merchant's purchases of
-- the environment are paid from. Null: a job gives it one. `facts` are JSON, with amounts in minor
-- units as text.
create table events (
  merchant_id integer not null,
  environment text not null,
  id uuid not null,
  type text not null,
  -- The vend that it is about.
  vend_id uuid,
  facts jsonb,
  at timestamptz not null default now(),
  position bigint,
  constraint events_pkey primary key (merchant_id, id),
  constraint events_environment_check check (environment in ('test', 'live'))
);

create unique index events_position_key on events (merchant_id, environment, position);
create index events_unplaced_idx on events (merchant_id, environment) where position is null;
create index events_time_idx on events using brin (at timestamptz_minmax_multi_ops)
  with (pages_per_range = 16, autosummarize = on);

-- How far positions had got at a time. The feed begins at the last mark that is older than it
-- keeps events, or at the first there is.
create table event_marks (
  at timestamptz not null default now(),
  position bigint not null,
  constraint event_marks_pkey primary key (at)
);

insert into event_marks (position)
select coalesce(pg_sequence_last_value(pg_get_serial_sequence('transfers', 'id')::regclass), 0);

-- A leased queue (src/queue): what is leased is the endpoint, and with it all that is sent to it.
create table webhook_endpoints (
  id uuid not null,
  merchant_id integer not null,
  environment text not null,
  url text not null,
  description text not null default '',
  -- Empty: all.
  types text[] not null default '{}',
  with_goods boolean not null default false,
  -- The form of its payloads.
  version text not null,
  -- Sealed. The old secret signs too until it ends.
  secret text not null,
  old_secret text,
  old_secret_ends_at timestamptz,
  state text not null default 'enabled',
  -- Why it is disabled.
  reason text,
  disabled_at timestamptz,
  -- Of the last event that was tried once.
  position bigint not null,
  -- Failed tries since the last that succeeded, and since when.
  failures integer not null default 0,
  failing_since timestamptz,
  lane text not null default 'well',
  due_at timestamptz,
  lease_id uuid,
  tries integer not null default 0,
  alarmed_at timestamptz,
  created_at timestamptz not null default now(),
  constraint webhook_endpoints_pkey primary key (id),
  constraint webhook_endpoints_merchant_fkey foreign key (merchant_id) references merchants (id),
  constraint webhook_endpoints_environment_check check (environment in ('test', 'live')),
  constraint webhook_endpoints_state_check check (state in ('enabled', 'disabled')),
  constraint webhook_endpoints_lane_check check (lane in ('well', 'failing'))
);

create index webhook_endpoints_owner_idx on webhook_endpoints (merchant_id, environment, id);
create index webhook_endpoints_due_idx on webhook_endpoints (due_at) where due_at is not null;

-- What became of an event at an endpoint. A row is made with the first try, for a test event and
-- a replay before it.
create table webhook_deliveries (
  merchant_id integer not null,
  environment text not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  vend_id uuid,
  event_at timestamptz not null,
  state text not null,
  -- Null: nothing more is tried.
  due_at timestamptz,
  tries integer not null default 0,
  -- Of the last try: the HTTP status, or why there is none, and the beginning of the answer.
  http_status integer,
  note text,
  answer text,
  duration_ms integer,
  tried_at timestamptz,
  created_at timestamptz not null default now(),
  constraint webhook_deliveries_pkey primary key (merchant_id, environment, id),
  constraint webhook_deliveries_event_key unique (endpoint_id, event_id),
  constraint webhook_deliveries_state_check check (state in ('waiting', 'delivered', 'failed')),
  constraint webhook_deliveries_due check ((due_at is not null) = (state = 'waiting'))
);

create index webhook_deliveries_due_idx on webhook_deliveries (endpoint_id, due_at) where due_at is not null;
create index webhook_deliveries_state_idx on webhook_deliveries (merchant_id, environment, state, id);
create index webhook_deliveries_time_idx on webhook_deliveries using brin (created_at timestamptz_minmax_multi_ops)
  with (pages_per_range = 16, autosummarize = on);

-- From what balance on a merchant is told that a wallet is low.
create table wallet_alerts (
  wallet_id bigint not null,
  threshold bigint not null,
  -- Since when it has been below, and so was told.
  low_since timestamptz,
  constraint wallet_alerts_pkey primary key (wallet_id),
  constraint wallet_alerts_wallet_fkey foreign key (wallet_id) references accounts (id)
);

-- The end that the merchant was told of.
alter table credentials add column told_end timestamptz;
