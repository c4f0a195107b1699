-- What the migrations make of an empty database. Written by `npm run schema`; nobody runs it.

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
  created_at timestamp with time zone,
  provider text,
  provider_reference text,
  reason text,
  refusal text,
  refusal_message text,
  telco_message text,
  delivery json,
  voucher json
);

create type resolve_item as (
  ordinal integer,
  merchant_id integer,
  environment text,
  vend_id uuid,
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
  outcome_message text,
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

create type transfer_item as (
  code text,
  debit bigint,
  credit bigint,
  amount bigint
);

create table access_tokens (
  id text not null,
  name text not null,
  roles text[] not null,
  secret_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  constraint access_tokens_pkey PRIMARY KEY (id)
);

create table accounts (
  id bigint not null generated always as identity,
  code text not null,
  kind text not null,
  environment text not null,
  currency text not null,
  merchant_id integer,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint accounts_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint accounts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint accounts_code_key UNIQUE (code)
);

create table alarms (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  kind text not null,
  merchant_id integer,
  vend_id uuid,
  message text not null,
  acknowledged_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint alarms_pkey PRIMARY KEY (id)
);
CREATE INDEX alarms_open_idx ON public.alarms USING btree (id) WHERE (acknowledged_at IS NULL);
CREATE INDEX alarms_time_idx ON public.alarms USING brin (at) WITH (pages_per_range='64', autosummarize='on');
CREATE INDEX alarms_vend_idx ON public.alarms USING btree (merchant_id, vend_id);
CREATE UNIQUE INDEX alarms_open_backup_key ON public.alarms USING btree (kind) WHERE ((kind = 'backup_old'::text) AND (acknowledged_at IS NULL));
CREATE UNIQUE INDEX alarms_open_snapshot_key ON public.alarms USING btree (kind) WHERE ((kind = 'old_snapshot'::text) AND (acknowledged_at IS NULL));

create table approval_decisions (
  approval_id uuid not null,
  decision text not null,
  decided_by text not null,
  decided_principal text not null,
  decided_at timestamp with time zone not null default now(),
  reason text,
  output jsonb,
  constraint approval_decisions_pkey PRIMARY KEY (approval_id),
  constraint approval_decisions_decision CHECK ((decision = ANY (ARRAY['approved'::text, 'rejected'::text]))),
  constraint approval_decisions_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES approvals(id)
);
CREATE TRIGGER approval_decisions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.approval_decisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table approvals (
  id uuid not null,
  operation text not null,
  input jsonb not null,
  key text,
  asked_by text not null,
  asked_principal text not null,
  asked_edge text not null,
  asked_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null default (now() + '72:00:00'::interval),
  constraint approvals_pkey PRIMARY KEY (id)
);
CREATE INDEX approvals_key_idx ON public.approvals USING btree (operation, key, id) WHERE (key IS NOT NULL);
CREATE TRIGGER approvals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.approvals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table attempts (
  merchant_id integer not null,
  vend_id uuid not null,
  number smallint not null,
  provider text not null,
  reference text not null,
  reason text not null,
  started_at timestamp with time zone not null default now(),
  account text,
  constraint attempts_pkey PRIMARY KEY (merchant_id, vend_id, number)
) with (autovacuum_vacuum_insert_threshold=5000000, autovacuum_analyze_threshold=20000, autovacuum_analyze_scale_factor=0.5);
CREATE INDEX attempts_reference_idx ON public.attempts USING btree (reference);
CREATE INDEX attempts_time_idx ON public.attempts USING brin (started_at) WITH (pages_per_range='64', autosummarize='on');
CREATE TRIGGER attempts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.attempts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table audit_log (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  actor text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  principal text,
  edge text,
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_chained TRIGGER DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX audit_log_action_at_idx ON public.audit_log USING btree (action, at, id);
CREATE INDEX audit_log_actor_action_at_idx ON public.audit_log USING btree (actor, action, at, id);
CREATE INDEX audit_log_actor_at_idx ON public.audit_log USING btree (actor, at, id);
CREATE INDEX audit_log_actor_kind_at_idx ON public.audit_log USING btree (actor, split_part(action, '.'::text, 1), at, id);
CREATE INDEX audit_log_at_idx ON public.audit_log USING btree (at, id);
CREATE INDEX audit_log_edge_at_idx ON public.audit_log USING btree (edge, at, id) WHERE (edge IS NOT NULL);
CREATE INDEX audit_log_kind_at_idx ON public.audit_log USING btree (split_part(action, '.'::text, 1), at, id);
CREATE INDEX audit_log_principal_action_at_idx ON public.audit_log USING btree (principal, action, at, id) WHERE (principal IS NOT NULL);
CREATE INDEX audit_log_principal_at_idx ON public.audit_log USING btree (principal, at, id) WHERE (principal IS NOT NULL);
CREATE INDEX audit_log_principal_kind_at_idx ON public.audit_log USING btree (principal, split_part(action, '.'::text, 1), at, id) WHERE (principal IS NOT NULL);
CREATE INDEX audit_log_subject_at_idx ON public.audit_log USING btree (subject, at, id);
CREATE CONSTRAINT TRIGGER audit_log_chained AFTER INSERT ON public.audit_log DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_append_only_row BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table audit_log_chain (
  position bigint not null,
  entry_id bigint not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_log_chain_pkey PRIMARY KEY ("position"),
  constraint audit_log_chain_entry_key UNIQUE (entry_id)
);
CREATE TRIGGER audit_log_chain_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log_chain FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_chain_append_only_row BEFORE DELETE OR UPDATE ON public.audit_log_chain FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table audit_runs (
  id bigint not null generated always as identity,
  kind text not null,
  since_id bigint,
  started_after bigint not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone not null default now(),
  checks_version text not null,
  database_id text not null,
  failed text[] not null,
  snapshot text not null,
  cut_at timestamp with time zone not null,
  sums jsonb,
  constraint audit_runs_pkey PRIMARY KEY (id),
  constraint audit_runs_kind_check CHECK ((kind = ANY (ARRAY['whole'::text, 'since_last'::text])))
);

create table backups (
  id text not null,
  taken_at timestamp with time zone not null,
  target text not null,
  verified boolean not null,
  recorded_at timestamp with time zone not null default now(),
  constraint backups_pkey PRIMARY KEY (id)
);
CREATE INDEX backups_taken_idx ON public.backups USING btree (taken_at);

create table bank_notices (
  id bigint not null generated always as identity,
  provider text not null,
  reference text not null,
  source text not null,
  received_at timestamp with time zone not null default now(),
  due_at timestamp with time zone default now(),
  tries integer not null default 0,
  outcome text,
  lease_id uuid,
  alarmed_at timestamp with time zone,
  open_since timestamp with time zone not null default now(),
  constraint bank_notices_pkey PRIMARY KEY (id),
  constraint bank_notices_outcome_check CHECK ((outcome = ANY (ARRAY['deposited'::text, 'ignored'::text, 'not_paid'::text]))),
  constraint bank_notices_settled CHECK (((outcome IS NULL) = (due_at IS NOT NULL))),
  constraint bank_notices_source_check CHECK ((source = ANY (ARRAY['notice'::text, 'sweep'::text]))),
  constraint bank_notices_reference_key UNIQUE (provider, reference)
);
CREATE INDEX bank_notices_due_idx ON public.bank_notices USING btree (due_at) WHERE (due_at IS NOT NULL);

create table billers (
  product text not null,
  network text not null,
  name text not null,
  aliases jsonb not null default '[]'::jsonb,
  active boolean not null default true,
  position integer not null,
  constraint billers_pkey PRIMARY KEY (product, network)
);

create table capped_vends (
  merchant_id integer not null,
  vend_id uuid not null,
  key_id text not null,
  day date not null,
  amount bigint not null,
  constraint capped_vends_pkey PRIMARY KEY (merchant_id, vend_id)
);
CREATE INDEX capped_vends_day_idx ON public.capped_vends USING btree (merchant_id, key_id, day);

create table catalog_changes (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  actor text not null,
  source text not null,
  product text not null,
  subject text not null,
  before jsonb,
  after jsonb not null,
  constraint catalog_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX catalog_changes_item_idx ON public.catalog_changes USING btree (subject, id);
CREATE INDEX catalog_changes_subject_idx ON public.catalog_changes USING btree (product, subject, id);
CREATE TRIGGER catalog_changes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.catalog_changes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table closed_balances (
  environment text not null,
  day date not null,
  account_id bigint not null,
  balance bigint not null,
  constraint closed_balances_pkey PRIMARY KEY (environment, day, account_id)
);
CREATE TRIGGER closed_balances_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.closed_balances FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table closed_days (
  environment text not null,
  day date not null,
  closed_at timestamp with time zone not null default now(),
  closed_by text not null,
  closed_principal text not null,
  pending jsonb not null,
  audit_position bigint not null,
  audit_hash bytea not null,
  figures_hash bytea not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint closed_days_pkey PRIMARY KEY (environment, day),
  constraint closed_days_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);
CREATE TRIGGER closed_days_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.closed_days FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table credential_spending (
  merchant_id integer not null,
  key_id text not null,
  day date not null,
  spent bigint not null,
  constraint credential_spending_pkey PRIMARY KEY (merchant_id, key_id, day),
  constraint credential_spending_check CHECK ((spent >= 0))
);
CREATE INDEX credential_spending_day_idx ON public.credential_spending USING btree (day);

create table credentials (
  key_id text not null,
  merchant_id integer not null,
  environment text not null,
  secret_hash bytea not null,
  label text not null default ''::text,
  allowed_ips cidr[] not null default '{}'::cidr[],
  rate_limit_per_s integer,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  told_end timestamp with time zone,
  purchase_cap bigint,
  daily_cap bigint,
  mcp_purchases boolean not null default false,
  spends_as text,
  unconfirmed_at timestamp with time zone,
  constraint credentials_pkey PRIMARY KEY (key_id),
  constraint credentials_caps_check CHECK (((purchase_cap > 0) AND (daily_cap > 0))),
  constraint credentials_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint credentials_mcp_check CHECK (((NOT mcp_purchases) OR ((purchase_cap IS NOT NULL) AND (daily_cap IS NOT NULL)))),
  constraint credentials_rate_limit_per_s_check CHECK ((rate_limit_per_s >= 0)),
  constraint credentials_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE INDEX credentials_merchant_idx ON public.credentials USING btree (merchant_id, environment);
CREATE INDEX credentials_unconfirmed_idx ON public.credentials USING btree (key_id) WHERE (unconfirmed_at IS NOT NULL);

create table database_beats (
  place integer not null,
  beats bigint not null,
  token uuid not null,
  at timestamp with time zone not null,
  constraint database_beats_pkey PRIMARY KEY (place)
) with (fillfactor=50);

create table database_life (
  one boolean not null default true,
  system_identifier text not null,
  database_oid bigint not null,
  beats bigint not null default 0,
  at timestamp with time zone not null default now(),
  constraint database_life_pkey PRIMARY KEY (one),
  constraint database_life_one_check CHECK (one)
) with (fillfactor=20);

create table deliveries (
  merchant_id integer not null,
  environment text not null,
  vend_id uuid not null,
  channel text not null,
  destination text not null,
  hint text not null,
  state text not null default 'waiting'::text,
  due_at timestamp with time zone,
  tries integer not null default 0,
  code text,
  note text,
  message_id text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  lease_id uuid,
  alarmed_at timestamp with time zone,
  constraint deliveries_pkey PRIMARY KEY (merchant_id, vend_id),
  constraint deliveries_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'whatsapp'::text]))),
  constraint deliveries_due CHECK (((due_at IS NOT NULL) = (state = ANY (ARRAY['due'::text, 'sending'::text])))),
  constraint deliveries_leased CHECK (((state = 'sending'::text) = ((lease_id IS NOT NULL) AND (due_at IS NOT NULL)))),
  constraint deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'due'::text, 'sending'::text, 'sent'::text, 'refused'::text, 'unknown'::text, 'given_up'::text, 'cancelled'::text])))
);
CREATE INDEX deliveries_due_idx ON public.deliveries USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX deliveries_open_idx ON public.deliveries USING btree (state, updated_at) WHERE (state <> ALL (ARRAY['sent'::text, 'cancelled'::text]));
CREATE INDEX deliveries_time_idx ON public.deliveries USING brin (updated_at) WITH (pages_per_range='64', autosummarize='on');

create table deposit_assignments (
  deposit_id uuid not null,
  merchant_id integer not null,
  fee bigint not null,
  assigned_at timestamp with time zone not null default now(),
  constraint deposit_assignments_pkey PRIMARY KEY (deposit_id),
  constraint deposit_assignments_fee_check CHECK ((fee >= 0)),
  constraint deposit_assignments_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposits(id),
  constraint deposit_assignments_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE INDEX deposit_assignments_merchant_idx ON public.deposit_assignments USING btree (merchant_id, deposit_id);
CREATE TRIGGER deposit_assignments_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.deposit_assignments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table deposits (
  id uuid not null,
  provider text not null,
  provider_reference text not null,
  environment text not null,
  currency text not null,
  paid_to text not null,
  merchant_id integer,
  gross bigint not null,
  fee bigint not null,
  settled bigint,
  paid_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  constraint deposits_pkey PRIMARY KEY (id),
  constraint deposits_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint deposits_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint deposits_fee_within CHECK (((fee >= 0) AND (fee <= gross))),
  constraint deposits_gross_positive CHECK ((gross > 0)),
  constraint deposits_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint deposits_reference_key UNIQUE (provider, provider_reference)
);
CREATE INDEX deposits_merchant_paid_idx ON public.deposits USING btree (merchant_id, paid_at, id);
CREATE INDEX deposits_owner_idx ON public.deposits USING btree (merchant_id, id);
CREATE INDEX deposits_paid_idx ON public.deposits USING btree (paid_at, id);
CREATE INDEX deposits_provider_idx ON public.deposits USING btree (provider, id);
CREATE INDEX deposits_provider_paid_idx ON public.deposits USING btree (provider, paid_at, id);
CREATE INDEX deposits_suspense_idx ON public.deposits USING btree (id) WHERE (merchant_id IS NULL);
CREATE INDEX deposits_time_idx ON public.deposits USING brin (created_at) WITH (pages_per_range='64', autosummarize='on');
CREATE TRIGGER deposits_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.deposits FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table discounts (
  merchant_id integer not null,
  product text not null,
  network text not null,
  basis_points integer not null,
  constraint discounts_pkey PRIMARY KEY (merchant_id, product, network),
  constraint discounts_basis_points_check CHECK (((basis_points >= 0) AND (basis_points <= 10000))),
  constraint discounts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table entered_vends (
  merchant_id integer not null,
  environment text not null,
  vend_id uuid not null,
  mark text not null,
  named_at timestamp with time zone,
  constraint entered_vends_pkey PRIMARY KEY (merchant_id, environment, mark)
);
CREATE INDEX entered_vends_nameless_idx ON public.entered_vends USING btree (merchant_id) WHERE (named_at IS NULL);

create table esim_plans (
  plan_id text not null,
  title text not null,
  country text,
  region text not null,
  data_mb integer not null,
  duration_days integer not null,
  currency text not null,
  price bigint not null,
  test_only boolean not null default false,
  provider_codes jsonb not null default '{}'::jsonb,
  active boolean not null default true,
  position integer not null,
  constraint esim_plans_pkey PRIMARY KEY (plan_id),
  constraint esim_plans_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint esim_plans_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'EUR'::text, 'GBP'::text, 'CAD'::text, 'AED'::text]))),
  constraint esim_plans_data_mb_check CHECK ((data_mb > 0)),
  constraint esim_plans_duration_days_check CHECK ((duration_days > 0)),
  constraint esim_plans_plan_id_check CHECK ((plan_id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$'::text)),
  constraint esim_plans_price_check CHECK ((price > 0))
);

create table event_marks (
  at timestamp with time zone not null default now(),
  position bigint not null,
  constraint event_marks_pkey PRIMARY KEY (at)
);

create table events (
  merchant_id integer not null,
  environment text not null,
  id uuid not null,
  type text not null,
  vend_id uuid,
  facts jsonb,
  at timestamp with time zone not null default now(),
  position bigint,
  constraint events_pkey PRIMARY KEY (merchant_id, id),
  constraint events_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);
CREATE INDEX events_time_idx ON public.events USING brin (at timestamptz_minmax_multi_ops) WITH (pages_per_range='16', autosummarize='on');
CREATE INDEX events_unplaced_idx ON public.events USING btree (merchant_id, environment) WHERE ("position" IS NULL);
CREATE UNIQUE INDEX events_position_key ON public.events USING btree (merchant_id, environment, "position");

create table float_hours (
  provider text not null,
  environment text not null,
  hour timestamp with time zone not null,
  cost bigint not null,
  constraint float_hours_pkey PRIMARY KEY (provider, environment, hour)
);

create table float_limits (
  provider text not null,
  hours integer,
  amount bigint,
  drift bigint,
  pause_below bigint,
  constraint float_limits_pkey PRIMARY KEY (provider),
  constraint float_limits_amounts_check CHECK (((amount > 0) AND (drift >= 0) AND (pause_below > 0))),
  constraint float_limits_hours_check CHECK (((hours >= 1) AND (hours <= 720)))
);

create table float_movements (
  id uuid not null,
  provider text not null,
  environment text not null,
  kind text not null,
  amount bigint not null,
  foreign_amount bigint,
  foreign_currency text,
  other_account_id bigint not null,
  reference text,
  reason text not null,
  moved_at timestamp with time zone not null,
  booked_by text not null,
  booked_principal text not null,
  at timestamp with time zone not null default now(),
  constraint float_movements_pkey PRIMARY KEY (id),
  constraint float_movements_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint float_movements_foreign CHECK (((foreign_amount IS NULL) = (foreign_currency IS NULL))),
  constraint float_movements_kind_check CHECK ((kind = ANY (ARRAY['top_up'::text, 'charge'::text]))),
  constraint float_movements_positive CHECK (((amount > 0) AND (foreign_amount > 0))),
  constraint float_movements_account_fkey FOREIGN KEY (other_account_id) REFERENCES accounts(id),
  constraint float_movements_reference_key UNIQUE (provider, environment, reference)
);
CREATE INDEX float_movements_provider_idx ON public.float_movements USING btree (provider, environment, id);
CREATE TRIGGER float_movements_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.float_movements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table float_troubles (
  provider text not null,
  kind text not null,
  since timestamp with time zone not null default now(),
  alarm_id bigint,
  constraint float_troubles_pkey PRIMARY KEY (provider, kind),
  constraint float_troubles_kind_check CHECK ((kind = ANY (ARRAY['low_float'::text, 'float_unknown'::text, 'float_differs'::text])))
);

create table found_orders (
  provider text not null,
  reference text not null,
  fence_id uuid not null,
  verdict text not null,
  reason text not null default ''::text,
  merchant_id integer,
  vend_id uuid,
  listed jsonb not null,
  at timestamp with time zone not null default now(),
  constraint found_orders_pkey PRIMARY KEY (provider, reference),
  constraint found_orders_verdict_check CHECK ((verdict = ANY (ARRAY['entered'::text, 'attempt'::text, 'left'::text, 'dismissed'::text]))),
  constraint found_orders_fence_id_fkey FOREIGN KEY (fence_id) REFERENCES restore_fences(id)
);
CREATE INDEX found_orders_left_idx ON public.found_orders USING btree (fence_id) WHERE (verdict = 'left'::text);
CREATE INDEX found_orders_vend_idx ON public.found_orders USING btree (merchant_id, vend_id);

create table funding_accounts (
  merchant_id integer not null,
  environment text not null,
  currency text not null,
  wallet_id bigint not null,
  provider text not null,
  reference text not null,
  customer_hash text,
  status text not null,
  account_number text,
  account_name text,
  bank_name text,
  provider_id text,
  refusal text,
  tries integer not null default 0,
  due_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  active_at timestamp with time zone,
  sweep_due_at timestamp with time zone not null default now(),
  swept_at timestamp with time zone,
  lease_id uuid,
  alarmed_at timestamp with time zone,
  requested_at timestamp with time zone not null default now(),
  asked integer not null default 0,
  asking_until timestamp with time zone,
  refusal_told text,
  constraint funding_accounts_pkey PRIMARY KEY (merchant_id, environment, currency),
  constraint funding_accounts_active_known CHECK (((status <> 'active'::text) OR ((account_number IS NOT NULL) AND (account_name IS NOT NULL) AND (bank_name IS NOT NULL)))),
  constraint funding_accounts_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint funding_accounts_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint funding_accounts_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'pending'::text, 'active'::text, 'refused'::text]))),
  constraint funding_accounts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint funding_accounts_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallet_owners(account_id)
);
CREATE INDEX funding_accounts_due_idx ON public.funding_accounts USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX funding_accounts_sweep_idx ON public.funding_accounts USING btree (sweep_due_at) WHERE (status = 'active'::text);
CREATE UNIQUE INDEX funding_accounts_customer_key ON public.funding_accounts USING btree (provider, customer_hash);
CREATE UNIQUE INDEX funding_accounts_number_key ON public.funding_accounts USING btree (provider, account_number);
CREATE UNIQUE INDEX funding_accounts_reference_key ON public.funding_accounts USING btree (provider, reference);
CREATE TRIGGER funding_accounts_translate_lease BEFORE INSERT OR UPDATE ON public.funding_accounts FOR EACH ROW EXECUTE FUNCTION translate_funding_lease();

create table funding_currencies (
  merchant_id integer not null,
  environment text not null,
  currency text not null,
  enabled_at timestamp with time zone not null default now(),
  constraint funding_currencies_pkey PRIMARY KEY (merchant_id, environment, currency),
  constraint funding_currencies_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint funding_currencies_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint funding_currencies_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table funding_documents (
  merchant_id integer not null,
  environment text not null,
  media_type text not null,
  key_id text not null,
  sealed text not null,
  uploaded_at timestamp with time zone not null default now(),
  constraint funding_documents_pkey PRIMARY KEY (merchant_id, environment),
  constraint funding_documents_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint funding_documents_media_type_check CHECK ((media_type = ANY (ARRAY['image/jpeg'::text, 'image/png'::text, 'image/webp'::text, 'application/pdf'::text]))),
  constraint funding_documents_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table funding_identities (
  merchant_id integer not null,
  environment text not null,
  sealed text not null,
  bvn_ending text,
  updated_at timestamp with time zone not null default now(),
  constraint funding_identities_pkey PRIMARY KEY (merchant_id, environment),
  constraint funding_identities_bvn_ending_check CHECK ((bvn_ending ~ '^[0-9]{2}$'::text)),
  constraint funding_identities_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint funding_identities_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table fx_rates (
  id bigint not null generated always as identity,
  currency text not null,
  rate_micro bigint not null,
  margin_basis_points integer not null,
  actor text not null,
  at timestamp with time zone not null default now(),
  constraint fx_rates_pkey PRIMARY KEY (id),
  constraint fx_rates_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'EUR'::text, 'GBP'::text, 'CAD'::text, 'AED'::text]))),
  constraint fx_rates_margin_basis_points_check CHECK (((margin_basis_points >= 0) AND (margin_basis_points <= 10000))),
  constraint fx_rates_rate_micro_check CHECK ((rate_micro > 0))
);
CREATE INDEX fx_rates_newest_idx ON public.fx_rates USING btree (currency, id DESC);
CREATE TRIGGER fx_rates_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.fx_rates FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table gateways (
  id uuid not null,
  role text not null,
  host text not null,
  pid integer not null,
  started_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  providers text[] not null default '{}'::text[],
  constraint gateways_pkey PRIMARY KEY (id)
);

create table gift_card_plans (
  plan_id integer not null,
  title text not null,
  brand text not null,
  region text,
  ui_category text not null,
  currency text not null,
  face_value bigint,
  min_price bigint,
  max_price bigint,
  featured boolean not null default false,
  fulfillment text not null default 'immediate'::text,
  test_only boolean not null default false,
  provider_codes jsonb not null default '{}'::jsonb,
  active boolean not null default true,
  position integer not null,
  constraint gift_card_plans_pkey PRIMARY KEY (plan_id),
  constraint gift_card_plans_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'EUR'::text, 'GBP'::text, 'CAD'::text, 'AED'::text]))),
  constraint gift_card_plans_fulfillment_check CHECK ((fulfillment = ANY (ARRAY['immediate'::text, 'standard'::text, 'out_of_stock'::text, 'preorder'::text]))),
  constraint gift_card_plans_plan_id_check CHECK ((plan_id > 0)),
  constraint gift_card_plans_region_check CHECK ((region ~ '^[A-Z]{2}$'::text)),
  constraint gift_card_plans_value CHECK (
CASE
    WHEN (face_value IS NOT NULL) THEN ((face_value > 0) AND (min_price IS NULL) AND (max_price IS NULL))
    ELSE ((min_price IS NOT NULL) AND (max_price IS NOT NULL) AND (0 < min_price) AND (min_price <= max_price))
END)
);

create table gifts (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  principal text not null,
  operation text not null,
  amount bigint not null,
  constraint gifts_pkey PRIMARY KEY (id),
  constraint gifts_amount_positive CHECK ((amount > 0))
);
CREATE INDEX gifts_at_idx ON public.gifts USING btree (at, principal, amount);
CREATE TRIGGER gifts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.gifts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table guards (
  environment text not null,
  product text not null,
  network text not null,
  mode text not null,
  set_at timestamp with time zone not null default now(),
  constraint guards_pkey PRIMARY KEY (environment, product, network),
  constraint guards_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint guards_mode_check CHECK ((mode = ANY (ARRAY['off'::text, 'alarm'::text, 'stop'::text])))
);

create table house_balances (
  account_id bigint not null,
  balance bigint not null default 0,
  rolled_up_at timestamp with time zone not null default now(),
  constraint house_balances_pkey PRIMARY KEY (account_id),
  constraint house_balances_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table house_deltas (
  id bigint not null generated always as identity,
  account_id bigint not null,
  delta bigint not null,
  constraint house_deltas_pkey PRIMARY KEY (id)
);

create table known_costs (
  environment text not null,
  product text not null,
  network text not null,
  provider text not null,
  plan_code text not null,
  currency text not null,
  amount bigint not null,
  cost bigint not null,
  at timestamp with time zone not null,
  constraint known_costs_pkey PRIMARY KEY (environment, product, network, provider, plan_code),
  constraint known_costs_amount_check CHECK ((amount > 0))
);

create table late_goods (
  merchant_id integer not null,
  environment text not null,
  vend_id uuid not null,
  due_at timestamp with time zone,
  tries integer not null default 0,
  created_at timestamp with time zone not null default now(),
  lease_id uuid,
  alarmed_at timestamp with time zone,
  queries integer not null default 0,
  constraint late_goods_pkey PRIMARY KEY (merchant_id, vend_id)
);
CREATE INDEX late_goods_due_idx ON public.late_goods USING btree (due_at);

create table merchant_products (
  merchant_id integer not null,
  environment text not null,
  product text not null,
  enabled_at timestamp with time zone not null default now(),
  constraint merchant_products_pkey PRIMARY KEY (merchant_id, environment, product),
  constraint merchant_products_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint merchant_products_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table merchants (
  id integer not null generated always as identity,
  code text not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  disabled_at timestamp with time zone,
  constraint merchants_pkey PRIMARY KEY (id),
  constraint merchants_code_form CHECK ((code ~ '^[A-Za-z0-9_-]{2,40}$'::text)),
  constraint merchants_code_key UNIQUE (code)
);

create table money_marks (
  source text not null,
  from_at timestamp with time zone not null,
  seen text,
  cut text,
  place_at timestamp with time zone,
  next_from_at timestamp with time zone,
  made_in text,
  seen_keys bigint[],
  cut_at timestamp with time zone,
  cut_keys bigint[],
  constraint money_marks_pkey PRIMARY KEY (source)
);

create table money_totals (
  environment text not null,
  kind text not null,
  product text not null,
  provider text not null,
  currency text not null,
  count bigint not null,
  amount bigint not null,
  constraint money_totals_pkey PRIMARY KEY (environment, kind, product, provider, currency)
);

create table mtn_lines (
  merchant_id integer not null,
  environment text not null,
  phone text not null,
  client_name text not null,
  balance bigint,
  balance_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint mtn_lines_pkey PRIMARY KEY (merchant_id, environment, phone),
  constraint mtn_lines_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint mtn_lines_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table operation_keys (
  operation text not null,
  key text not null,
  at timestamp with time zone not null default now(),
  input jsonb not null,
  output jsonb not null,
  constraint operation_keys_pkey PRIMARY KEY (operation, key)
);
CREATE TRIGGER operation_keys_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.operation_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table pending_vends (
  merchant_id integer not null,
  environment text not null,
  vend_id uuid not null,
  wallet_id bigint not null,
  charge bigint not null,
  step text not null,
  due_at timestamp with time zone,
  owner uuid,
  attempts smallint not null default 0,
  queries integer not null default 0,
  not_found smallint not null default 0,
  flagged_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  delivers boolean,
  delivered_attempt smallint,
  acknowledged boolean not null default false,
  contradicted_at timestamp with time zone,
  provider text default ''::text,
  awaited boolean not null default false,
  network text,
  recipient text,
  constraint pending_vends_pkey PRIMARY KEY (merchant_id, vend_id),
  constraint pending_vends_step_check CHECK ((step = ANY (ARRAY['send'::text, 'query'::text])))
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_threshold=100000);
CREATE INDEX pending_vends_lane_idx ON public.pending_vends USING btree (provider, step, merchant_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX pending_vends_network_idx ON public.pending_vends USING btree (merchant_id, environment, network, vend_id) WHERE (owner IS NULL);
CREATE INDEX pending_vends_owner_idx ON public.pending_vends USING btree (owner) WHERE (owner IS NOT NULL);
CREATE INDEX pending_vends_recipient_idx ON public.pending_vends USING btree (merchant_id, environment, recipient, network, vend_id) WHERE (owner IS NULL);
CREATE INDEX pending_vends_unsent_idx ON public.pending_vends USING btree (awaited, created_at) WHERE ((step = 'send'::text) AND (due_at IS NOT NULL) AND (flagged_at IS NULL));

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
  short_code text,
  provider_codes jsonb not null default '{}'::jsonb,
  active boolean not null default true,
  position integer not null,
  amount_type text not null default 'fixed'::text,
  min_amount bigint,
  max_amount bigint,
  meter_kind text,
  service_id text,
  constraint plans_pkey PRIMARY KEY (plan_code),
  constraint plans_amount CHECK (
CASE amount_type
    WHEN 'fixed'::text THEN ((price IS NOT NULL) AND (min_amount IS NULL) AND (max_amount IS NULL))
    WHEN 'variable'::text THEN ((price IS NULL) AND (min_amount IS NOT NULL) AND (max_amount IS NOT NULL) AND (0 < min_amount) AND (min_amount <= max_amount))
    ELSE false
END),
  constraint plans_data CHECK (((product <> 'data'::text) OR ((amount_type = 'fixed'::text) AND (description IS NOT NULL) AND (tariff_type_id IS NOT NULL) AND (validity IS NOT NULL) AND (size IS NOT NULL) AND (plan_group IS NOT NULL) AND (short_code IS NOT NULL)))),
  constraint plans_meter_kind CHECK (
CASE product
    WHEN 'ELECTRICITY'::text THEN ((meter_kind IS NOT NULL) AND (meter_kind = ANY (ARRAY['prepaid'::text, 'postpaid'::text])))
    ELSE (meter_kind IS NULL)
END),
  constraint plans_price_check CHECK ((price > 0)),
  constraint plans_id_key UNIQUE (id)
);

create table products (
  product text not null,
  kind text not null,
  sealed boolean not null,
  known_since timestamp with time zone not null default now(),
  constraint products_pkey PRIMARY KEY (product),
  constraint products_kind_check CHECK ((kind = ANY (ARRAY['direct'::text, 'bill'::text, 'order'::text])))
);

create table provider_answers (
  merchant_id integer not null,
  vend_id uuid not null,
  attempt smallint not null,
  source text not null,
  kind text not null,
  code text not null,
  message text not null,
  provider_id text,
  latency_ms integer,
  at timestamp with time zone not null default now(),
  constraint provider_answers_source_check CHECK ((source = ANY (ARRAY['vend'::text, 'query'::text, 'callback'::text, 'operator'::text, 'gateway'::text])))
) with (autovacuum_vacuum_insert_threshold=5000000, autovacuum_analyze_threshold=20000, autovacuum_analyze_scale_factor=0.5);
CREATE INDEX provider_answers_time_idx ON public.provider_answers USING brin (at) WITH (pages_per_range='64', autosummarize='on');
CREATE INDEX provider_answers_vend_idx ON public.provider_answers USING btree (merchant_id, vend_id);
CREATE TRIGGER provider_answers_append_only BEFORE DELETE OR TRUNCATE ON public.provider_answers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_answers_never_change BEFORE UPDATE ON public.provider_answers FOR EACH ROW EXECUTE FUNCTION allow_anonymising('message');

create table provider_credentials (
  provider text not null,
  version integer not null,
  sealed text not null,
  fingerprints jsonb not null,
  set_by text not null,
  at timestamp with time zone not null default now(),
  constraint provider_credentials_pkey PRIMARY KEY (provider, version)
);

create table provider_pauses (
  provider text not null,
  product text not null,
  network text not null,
  reason text not null,
  paused_by text not null,
  at timestamp with time zone not null default now(),
  constraint provider_pauses_pkey PRIMARY KEY (provider, product, network)
);

create table provider_states (
  gateway_id uuid not null,
  provider text not null,
  at timestamp with time zone not null,
  state jsonb not null,
  constraint provider_states_pkey PRIMARY KEY (gateway_id, provider),
  constraint provider_states_gateway_fkey FOREIGN KEY (gateway_id) REFERENCES gateways(id) ON DELETE CASCADE
) with (fillfactor=50);

create table provider_troubles (
  provider text not null,
  since timestamp with time zone not null default now(),
  alarm_id bigint,
  constraint provider_troubles_pkey PRIMARY KEY (provider)
);

create table recent_outcomes (
  slot timestamp with time zone not null,
  environment text not null,
  provider text not null,
  product text not null,
  network text not null,
  delivered boolean not null,
  latency_class smallint not null,
  count bigint not null,
  longest_ms bigint not null,
  constraint recent_outcomes_pkey PRIMARY KEY (slot, environment, provider, product, network, delivered, latency_class)
) with (fillfactor=70);

create table reconciled_providers (
  fence_id uuid not null,
  provider text not null,
  listed_from timestamp with time zone not null,
  listed_until timestamp with time zone not null,
  source text not null,
  orders integer not null,
  at timestamp with time zone not null default now(),
  covered tstzmultirange,
  constraint reconciled_providers_pkey PRIMARY KEY (fence_id, provider),
  constraint reconciled_providers_source_check CHECK ((source = ANY (ARRAY['asked'::text, 'file'::text]))),
  constraint reconciled_providers_fence_id_fkey FOREIGN KEY (fence_id) REFERENCES restore_fences(id)
);

create table reconciliation_differences (
  run_id uuid not null,
  number integer not null,
  kind text not null,
  line bigint,
  reference text,
  provider_id text,
  merchant_id integer,
  vend_id uuid,
  at timestamp with time zone not null,
  amount bigint not null,
  effect bigint not null,
  here text not null,
  there text not null,
  mend text,
  applied text,
  constraint reconciliation_differences_pkey PRIMARY KEY (run_id, number),
  constraint reconciliation_differences_run_fkey FOREIGN KEY (run_id) REFERENCES reconciliation_runs(id)
);
CREATE INDEX reconciliation_differences_told_idx ON public.reconciliation_differences USING btree (at) WHERE ((vend_id IS NULL) AND ((there <> ''::text) OR (mend IS NOT NULL)));
CREATE INDEX reconciliation_differences_vend_idx ON public.reconciliation_differences USING btree (merchant_id, vend_id);
CREATE TRIGGER reconciliation_differences_append_only BEFORE DELETE OR TRUNCATE ON public.reconciliation_differences FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reconciliation_differences_never_change BEFORE UPDATE ON public.reconciliation_differences FOR EACH ROW EXECUTE FUNCTION allow_anonymising('there', 'mend');

create table reconciliation_runs (
  id uuid not null,
  party text not null,
  environment text not null,
  source text not null,
  file_name text,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  applied boolean not null,
  lines bigint not null,
  differences bigint not null,
  summary jsonb not null,
  run_by text not null,
  run_principal text not null,
  started_at timestamp with time zone not null,
  at timestamp with time zone not null default now(),
  constraint reconciliation_runs_pkey PRIMARY KEY (id),
  constraint reconciliation_runs_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint reconciliation_runs_source_check CHECK ((source = ANY (ARRAY['file'::text, 'list'::text, 'questions'::text])))
);
CREATE INDEX reconciliation_runs_party_idx ON public.reconciliation_runs USING btree (party, id);
CREATE TRIGGER reconciliation_runs_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.reconciliation_runs FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table report_balances (
  account_id bigint not null,
  balance bigint not null,
  constraint report_balances_pkey PRIMARY KEY (account_id)
);

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
  constraint report_late_transfers_pkey PRIMARY KEY (merchant_id, subject_id, code)
);
CREATE INDEX report_late_transfers_day_idx ON public.report_late_transfers USING btree (environment, own_day);
CREATE TRIGGER report_late_transfers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.report_late_transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table report_ledger (
  environment text not null,
  day date not null,
  code text not null,
  debit_account_id bigint not null,
  credit_account_id bigint not null,
  count bigint not null,
  amount bigint not null,
  constraint report_ledger_pkey PRIMARY KEY (environment, day, code, debit_account_id, credit_account_id)
);
CREATE TRIGGER report_ledger_closed BEFORE INSERT OR DELETE OR UPDATE ON public.report_ledger FOR EACH ROW EXECUTE FUNCTION refuse_closed_day();
CREATE TRIGGER report_ledger_kept BEFORE TRUNCATE ON public.report_ledger FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table report_mark (
  only_one boolean not null default true,
  began_at timestamp with time zone not null,
  history_to timestamp with time zone,
  from_at timestamp with time zone not null,
  seen text,
  cut text,
  place_at timestamp with time zone,
  next_from_at timestamp with time zone,
  made_in text,
  seen_keys bigint[],
  recent_from timestamp with time zone not null default '-infinity'::timestamp with time zone,
  cut_at timestamp with time zone,
  cut_keys bigint[],
  constraint report_mark_pkey PRIMARY KEY (only_one),
  constraint report_mark_only_one CHECK (only_one)
);

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
  constraint report_refunds_pkey PRIMARY KEY (environment, day, sale_day, kind, merchant_id, product, network, provider, currency)
);
CREATE INDEX report_refunds_later_idx ON public.report_refunds USING btree (environment, sale_day, day) WHERE (sale_day <> day);
CREATE TRIGGER report_refunds_closed BEFORE INSERT OR DELETE OR UPDATE ON public.report_refunds FOR EACH ROW EXECUTE FUNCTION refuse_closed_day();
CREATE TRIGGER report_refunds_kept BEFORE TRUNCATE ON public.report_refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table report_sales (
  environment text not null,
  day date not null,
  accepted_day date not null,
  merchant_id integer not null,
  product text not null,
  network text not null,
  provider text not null,
  currency text not null,
  successes bigint not null,
  failures bigint not null,
  refused bigint not null,
  face_value bigint not null,
  charge bigint not null,
  cost bigint not null,
  estimated_cost bigint not null,
  losses bigint not null,
  loss bigint not null,
  held bigint not null,
  waited bigint not null,
  constraint report_sales_pkey PRIMARY KEY (environment, day, accepted_day, merchant_id, product, network, provider, currency)
);
CREATE INDEX report_sales_carried_idx ON public.report_sales USING btree (environment, accepted_day, day) WHERE (accepted_day <> day);
CREATE TRIGGER report_sales_closed BEFORE INSERT OR DELETE OR UPDATE ON public.report_sales FOR EACH ROW EXECUTE FUNCTION refuse_closed_day();
CREATE TRIGGER report_sales_kept BEFORE TRUNCATE ON public.report_sales FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table report_times (
  environment text not null,
  day date not null,
  merchant_id integer not null,
  product text not null,
  network text not null,
  provider text not null,
  currency text not null,
  measure text not null,
  class smallint not null,
  count bigint not null,
  longest_ms bigint not null,
  constraint report_times_pkey PRIMARY KEY (environment, day, merchant_id, product, network, provider, currency, measure, class)
);
CREATE TRIGGER report_times_closed BEFORE INSERT OR DELETE OR UPDATE ON public.report_times FOR EACH ROW EXECUTE FUNCTION refuse_closed_day();
CREATE TRIGGER report_times_kept BEFORE TRUNCATE ON public.report_times FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table restore_fences (
  id uuid not null,
  cause text not null,
  source text not null,
  reason text not null,
  lost_from timestamp with time zone not null,
  raised_at timestamp with time zone not null default now(),
  raised_by text not null,
  lifted_at timestamp with time zone,
  lifted_by text,
  constraint restore_fences_pkey PRIMARY KEY (id),
  constraint restore_fences_cause_check CHECK ((cause = ANY (ARRAY['copied'::text, 'went_back'::text, 'by_hand'::text]))),
  constraint restore_fences_source_key UNIQUE (source)
);
CREATE UNIQUE INDEX restore_fences_up_idx ON public.restore_fences USING btree ((true)) WHERE (lifted_at IS NULL);

create table retention_left (
  kind text not null,
  merchant_id integer not null,
  vend_id uuid not null,
  constraint retention_left_pkey PRIMARY KEY (kind, merchant_id, vend_id)
);

create table retention_marks (
  kind text not null,
  merchant_id integer not null,
  vend_id uuid not null,
  constraint retention_marks_pkey PRIMARY KEY (kind, merchant_id)
);

create table routes (
  environment text not null,
  product text not null,
  network text not null,
  position smallint not null,
  provider text not null,
  share smallint,
  constraint routes_pkey PRIMARY KEY (environment, product, network, "position"),
  constraint routes_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint routes_position_check CHECK (("position" >= 1)),
  constraint routes_share_check CHECK (((share >= 1) AND (share <= 1000)))
);

create table rows_added_before (
  mark text not null,
  key bigint not null,
  constraint rows_added_before_pkey PRIMARY KEY (mark, key)
);

create table sale_losses (
  environment text not null,
  provider text not null,
  product text not null,
  network text not null,
  merchant_id integer not null,
  since timestamp with time zone not null,
  last_at timestamp with time zone not null,
  count bigint not null,
  charge bigint not null,
  cost bigint not null,
  last_vend_id uuid not null,
  alarm_id bigint,
  told bigint not null default 0,
  constraint sale_losses_pkey PRIMARY KEY (environment, provider, product, network, merchant_id)
);

create table sandbox_transfers (
  reference text not null,
  account_number text not null,
  currency text not null,
  amount bigint not null,
  at timestamp with time zone not null default now(),
  constraint sandbox_transfers_pkey PRIMARY KEY (reference),
  constraint sandbox_transfers_amount_check CHECK ((amount > 0))
);
CREATE INDEX sandbox_transfers_account_idx ON public.sandbox_transfers USING btree (account_number, at);

create table schema_functions (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_functions_pkey PRIMARY KEY (name)
);

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table sealed_goods (
  merchant_id integer not null,
  vend_id uuid not null,
  key_id text not null,
  sealed text not null,
  at timestamp with time zone not null default now(),
  constraint sealed_goods_pkey PRIMARY KEY (merchant_id, vend_id)
);
CREATE INDEX sealed_goods_time_idx ON public.sealed_goods USING brin (at) WITH (pages_per_range='64', autosummarize='on');

create table search_postings (
  attribute text not null,
  value text not null,
  segment bigint not null,
  postings bytea not null,
  constraint search_postings_pkey PRIMARY KEY (attribute, value, segment)
);

create table search_segments (
  id bigint not null generated always as identity,
  newest uuid not null,
  oldest uuid not null,
  size integer not null,
  fences uuid[] not null,
  members bytea not null,
  is_forgotten boolean not null default false,
  constraint search_segments_pkey PRIMARY KEY (id)
);
CREATE INDEX search_segments_newest_idx ON public.search_segments USING btree (newest, id);

create table second_looks (
  provider text not null,
  last_at timestamp with time zone not null,
  last_merchant_id integer not null default 0,
  last_vend_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  due_at timestamp with time zone,
  lease_id uuid,
  tries integer not null default 0,
  alarmed_at timestamp with time zone,
  constraint second_looks_pkey PRIMARY KEY (provider)
);

create table settings (
  name text not null,
  value text not null,
  constraint settings_pkey PRIMARY KEY (name)
);

create table sign_in_buckets (
  key bytea not null,
  tokens double precision not null,
  counted_at timestamp with time zone not null default now(),
  constraint sign_in_buckets_pkey PRIMARY KEY (key)
);
CREATE INDEX sign_in_buckets_time_idx ON public.sign_in_buckets USING btree (counted_at);

create table statement_marks (
  wallet_id bigint not null,
  transfer_id bigint not null,
  at timestamp with time zone not null,
  balance bigint not null,
  last_id bigint,
  constraint statement_marks_pkey PRIMARY KEY (wallet_id, transfer_id),
  constraint statement_marks_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallet_owners(account_id)
);

create table tasks (
  id uuid not null,
  operation text not null,
  input jsonb not null,
  input_hash bytea not null,
  is_whole boolean not null,
  name text not null,
  principal text not null,
  host text not null,
  pid integer not null,
  started_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  step text,
  done bigint,
  unit text,
  ended_at timestamp with time zone,
  outcome text,
  output jsonb,
  error text,
  constraint tasks_pkey PRIMARY KEY (id),
  constraint tasks_end_check CHECK (((outcome IS NULL) = (ended_at IS NULL))),
  constraint tasks_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'failed'::text, 'stopped'::text])))
);
CREATE UNIQUE INDEX tasks_running_key ON public.tasks USING btree (operation, input_hash) WHERE (ended_at IS NULL);

create table test_clock_moves (
  merchant_id integer not null,
  moved_at timestamp with time zone not null default clock_timestamp(),
  advance_s integer not null,
  offset_s bigint not null,
  constraint test_clock_moves_pkey PRIMARY KEY (merchant_id, moved_at),
  constraint test_clock_moves_advance_s_check CHECK ((advance_s > 0))
);

create table transfers (
  id bigint not null generated always as identity,
  merchant_id integer not null,
  subject_id uuid not null,
  code text not null,
  debit_account_id bigint not null,
  credit_account_id bigint not null,
  amount bigint not null,
  memo text,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint transfers_pkey PRIMARY KEY (merchant_id, subject_id, code),
  constraint transfers_amount_positive CHECK ((amount > 0)),
  constraint transfers_two_accounts CHECK ((debit_account_id <> credit_account_id))
) with (autovacuum_vacuum_insert_threshold=5000000, autovacuum_analyze_threshold=20000, autovacuum_analyze_scale_factor=0.5);
CREATE INDEX transfers_merchant_order_idx ON public.transfers USING btree (merchant_id, id);
CREATE INDEX transfers_time_idx ON public.transfers USING brin (created_at) WITH (pages_per_range='64', autosummarize='on');
CREATE TRIGGER transfers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table user_challenges (
  hash bytea not null,
  bound_to text not null,
  expires_at timestamp with time zone not null,
  constraint user_challenges_pkey PRIMARY KEY (hash)
);
CREATE INDEX user_challenges_end_idx ON public.user_challenges USING btree (expires_at);

create table user_links (
  hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint user_links_pkey PRIMARY KEY (hash),
  constraint user_links_purpose_check CHECK ((purpose = ANY (ARRAY['invitation'::text, 'reset'::text, 'sign_in'::text]))),
  constraint user_links_user_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX user_links_end_idx ON public.user_links USING btree (expires_at);
CREATE INDEX user_links_user_idx ON public.user_links USING btree (user_id, purpose);

create table user_mails (
  id uuid not null,
  face text not null,
  purpose text not null,
  user_id uuid,
  email text not null,
  due_at timestamp with time zone,
  lease_id uuid,
  tries integer not null default 0,
  alarmed_at timestamp with time zone,
  changed_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  constraint user_mails_pkey PRIMARY KEY (id),
  constraint user_mails_purpose_check CHECK ((purpose = ANY (ARRAY['invitation'::text, 'reset'::text])))
);
CREATE INDEX user_mails_due_idx ON public.user_mails USING btree (due_at) WHERE (due_at IS NOT NULL);

create table user_passkeys (
  id text not null,
  user_id uuid not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  label text not null,
  created_at timestamp with time zone not null default now(),
  used_at timestamp with time zone,
  constraint user_passkeys_pkey PRIMARY KEY (id),
  constraint user_passkeys_user_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX user_passkeys_user_idx ON public.user_passkeys USING btree (user_id);

create table user_recovery_codes (
  user_id uuid not null,
  hash bytea not null,
  used_at timestamp with time zone,
  constraint user_recovery_codes_pkey PRIMARY KEY (user_id, hash),
  constraint user_recovery_codes_user_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table user_sessions (
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  state text not null,
  opened_by text not null,
  address text not null,
  agent text not null,
  created_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  stepped_up_until timestamp with time zone,
  ended_at timestamp with time zone,
  ended_by text,
  constraint user_sessions_pkey PRIMARY KEY (id),
  constraint user_sessions_state_check CHECK ((state = ANY (ARRAY['half'::text, 'open'::text]))),
  constraint user_sessions_user_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint user_sessions_token_key UNIQUE (token_hash)
);
CREATE INDEX user_sessions_end_idx ON public.user_sessions USING btree (expires_at);
CREATE INDEX user_sessions_user_idx ON public.user_sessions USING btree (user_id, id);

create table user_totps (
  id uuid not null,
  user_id uuid not null,
  secret text not null,
  confirmed_at timestamp with time zone,
  last_step bigint,
  created_at timestamp with time zone not null default now(),
  constraint user_totps_pkey PRIMARY KEY (id),
  constraint user_totps_user_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX user_totps_user_key ON public.user_totps USING btree (user_id, ((confirmed_at IS NULL)));

create table users (
  id uuid not null,
  merchant_id integer,
  email text not null,
  name text not null,
  roles text[] not null,
  password text,
  suspended_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  signed_in_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_check CHECK ((email = lower(email))),
  constraint users_merchant_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE INDEX users_merchant_idx ON public.users USING btree (merchant_id, id);
CREATE UNIQUE INDEX users_email_key ON public.users USING btree (email, COALESCE(merchant_id, 0));

create table vend_count_deltas (
  merchant_id integer not null,
  environment text not null,
  id bigint not null generated always as identity,
  network text not null,
  status text not null,
  count bigint not null,
  constraint vend_count_deltas_pkey PRIMARY KEY (merchant_id, environment, id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000, autovacuum_vacuum_insert_threshold=-1, autovacuum_vacuum_cost_delay=0, autovacuum_analyze_threshold=100000, vacuum_truncate=false);

create table vend_counts (
  merchant_id integer not null,
  environment text not null,
  network text not null,
  status text not null,
  count bigint not null,
  constraint vend_counts_pkey PRIMARY KEY (merchant_id, environment, network, status),
  constraint vend_counts_status_check CHECK ((status = ANY (ARRAY['accepted'::text, 'success'::text, 'failed'::text])))
) with (fillfactor=50);

create table vend_goods (
  merchant_id integer not null,
  vend_id uuid not null,
  goods jsonb not null,
  at timestamp with time zone not null default now(),
  constraint vend_goods_pkey PRIMARY KEY (merchant_id, vend_id)
);
CREATE INDEX vend_goods_goods_idx ON public.vend_goods USING gin (goods jsonb_path_ops) WITH (fastupdate=off);
CREATE INDEX vend_goods_time_idx ON public.vend_goods USING brin (at) WITH (pages_per_range='64', autosummarize='on');
CREATE TRIGGER vend_goods_append_only BEFORE DELETE OR TRUNCATE ON public.vend_goods FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER vend_goods_never_change BEFORE UPDATE ON public.vend_goods FOR EACH ROW EXECUTE FUNCTION allow_anonymising('goods');

create table vend_outcomes (
  merchant_id integer not null,
  environment text not null,
  vend_id uuid not null,
  status text not null,
  reason text not null,
  message text not null,
  telco_message text,
  provider text,
  cost bigint,
  goods jsonb,
  at timestamp with time zone not null default now(),
  network text,
  recipient text,
  cost_estimated boolean,
  constraint vend_outcomes_pkey PRIMARY KEY (merchant_id, vend_id),
  constraint vend_outcomes_status_check CHECK ((status = ANY (ARRAY['success'::text, 'failed'::text])))
) with (autovacuum_vacuum_insert_threshold=5000000, autovacuum_analyze_threshold=20000, autovacuum_analyze_scale_factor=0.5);
CREATE INDEX vend_outcomes_incomplete_idx ON public.vend_outcomes USING btree (merchant_id) WHERE (network IS NULL);
CREATE INDEX vend_outcomes_network_idx ON public.vend_outcomes USING btree (merchant_id, environment, status, network, vend_id);
CREATE INDEX vend_outcomes_recipient_idx ON public.vend_outcomes USING btree (merchant_id, environment, recipient, status, network, vend_id);
CREATE INDEX vend_outcomes_time_idx ON public.vend_outcomes USING brin (at timestamptz_minmax_multi_ops) WITH (pages_per_range='64', autosummarize='on');

create table vend_refunds (
  merchant_id integer not null,
  refund_id uuid not null,
  environment text not null,
  vend_id uuid not null,
  kind text not null,
  amount bigint not null,
  reason text not null,
  refunded_by text not null,
  refunded_principal text not null,
  at timestamp with time zone not null default now(),
  constraint vend_refunds_pkey PRIMARY KEY (merchant_id, refund_id),
  constraint vend_refunds_amount CHECK ((amount > 0)),
  constraint vend_refunds_kind CHECK ((kind = ANY (ARRAY['merchant'::text, 'provider'::text])))
);
CREATE INDEX vend_refunds_time_idx ON public.vend_refunds USING brin (at) WITH (pages_per_range='64', autosummarize='on');
CREATE INDEX vend_refunds_vend_idx ON public.vend_refunds USING btree (merchant_id, vend_id);
CREATE TRIGGER vend_refunds_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.vend_refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table vends (
  merchant_id integer not null,
  environment text not null,
  id uuid not null,
  reference text not null,
  product text not null,
  network text not null,
  plan_code text,
  msisdn text not null,
  recipient text not null,
  face_value bigint not null,
  charge bigint not null,
  wallet_id bigint not null,
  mode text not null,
  route text not null,
  details jsonb,
  credential_id text not null,
  created_at timestamp with time zone not null default now(),
  constraint vends_pkey PRIMARY KEY (merchant_id, environment, id),
  constraint vends_amounts CHECK (((face_value > 0) AND (charge >= 0)))
) with (autovacuum_vacuum_insert_threshold=5000000, autovacuum_analyze_threshold=20000, autovacuum_analyze_scale_factor=0.5);
CREATE INDEX vends_time_idx ON public.vends USING brin (created_at) WITH (pages_per_range='64', autosummarize='on');
CREATE UNIQUE INDEX vends_reference_key ON public.vends USING btree (merchant_id, environment, reference);
CREATE TRIGGER vends_append_only BEFORE DELETE OR TRUNCATE ON public.vends FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER vends_never_change BEFORE UPDATE ON public.vends FOR EACH ROW EXECUTE FUNCTION refuse_vend_change('msisdn', 'recipient', 'details');

create table voucher_redemptions (
  merchant_id integer not null,
  vend_id uuid not null,
  voucher_id uuid not null,
  redeem_id uuid not null,
  settle_id uuid not null,
  at timestamp with time zone not null default now(),
  returned_at timestamp with time zone,
  constraint voucher_redemptions_pkey PRIMARY KEY (merchant_id, vend_id),
  constraint voucher_redemptions_merchant_id_voucher_id_fkey FOREIGN KEY (merchant_id, voucher_id) REFERENCES vouchers(merchant_id, id)
);
CREATE INDEX voucher_redemptions_redeem_idx ON public.voucher_redemptions USING btree (merchant_id, redeem_id);
CREATE INDEX voucher_redemptions_settle_idx ON public.voucher_redemptions USING btree (merchant_id, settle_id);
CREATE INDEX voucher_redemptions_time_idx ON public.voucher_redemptions USING brin (at) WITH (pages_per_range='64', autosummarize='on');
CREATE UNIQUE INDEX voucher_redemptions_open_key ON public.voucher_redemptions USING btree (merchant_id, voucher_id) WHERE (returned_at IS NULL);

create table vouchers (
  merchant_id integer not null,
  id uuid not null,
  environment text not null,
  issue_id uuid not null,
  code_hash bytea not null,
  hint text not null,
  value bigint not null,
  issued_at timestamp with time zone not null default now(),
  cancelled_at timestamp with time zone,
  constraint vouchers_pkey PRIMARY KEY (merchant_id, id),
  constraint vouchers_code_hash_check CHECK ((octet_length(code_hash) = 32)),
  constraint vouchers_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint vouchers_value_check CHECK ((value > 0)),
  constraint vouchers_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE INDEX vouchers_issue_idx ON public.vouchers USING btree (merchant_id, issue_id);
CREATE UNIQUE INDEX vouchers_code_key ON public.vouchers USING btree (merchant_id, environment, code_hash);

create table wallet_alerts (
  wallet_id bigint not null,
  threshold bigint not null,
  low_since timestamp with time zone,
  constraint wallet_alerts_pkey PRIMARY KEY (wallet_id),
  constraint wallet_alerts_wallet_fkey FOREIGN KEY (wallet_id) REFERENCES accounts(id)
);

create table wallet_owners (
  account_id bigint not null,
  merchant_id integer not null,
  environment text not null,
  currency text not null,
  created_at timestamp with time zone not null default now(),
  constraint wallet_owners_pkey PRIMARY KEY (account_id),
  constraint wallet_owners_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint wallet_owners_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint wallet_owners_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint wallet_owners_owner_key UNIQUE (merchant_id, environment, currency)
);

create table wallet_states (
  wallet_id bigint not null,
  seq bigint not null,
  posted bigint not null,
  held bigint not null,
  floor bigint not null,
  constraint wallet_states_pkey PRIMARY KEY (wallet_id, seq),
  constraint wallets_above_floor CHECK (((posted - held) >= floor)),
  constraint wallets_held_positive CHECK ((held >= 0))
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000, autovacuum_vacuum_insert_threshold=-1, autovacuum_vacuum_cost_delay=0, autovacuum_analyze_threshold=100000, vacuum_truncate=false);

create view wallets (
  account_id bigint,
  merchant_id integer,
  environment text,
  currency text,
  posted bigint default 0,
  held bigint default 0,
  floor bigint default 0,
  created_at timestamp with time zone default now()
);
CREATE TRIGGER wallets_change INSTEAD OF INSERT OR UPDATE ON public.wallets FOR EACH ROW EXECUTE FUNCTION change_wallet();

create table webhook_deliveries (
  merchant_id integer not null,
  environment text not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  vend_id uuid,
  event_at timestamp with time zone not null,
  state text not null,
  due_at timestamp with time zone,
  tries integer not null default 0,
  http_status integer,
  note text,
  answer text,
  duration_ms integer,
  tried_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint webhook_deliveries_pkey PRIMARY KEY (merchant_id, environment, id),
  constraint webhook_deliveries_due CHECK (((due_at IS NOT NULL) = (state = 'waiting'::text))),
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text]))),
  constraint webhook_deliveries_event_key UNIQUE (endpoint_id, event_id)
);
CREATE INDEX webhook_deliveries_due_idx ON public.webhook_deliveries USING btree (endpoint_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_deliveries_state_idx ON public.webhook_deliveries USING btree (merchant_id, environment, state, id);
CREATE INDEX webhook_deliveries_time_idx ON public.webhook_deliveries USING brin (created_at timestamptz_minmax_multi_ops) WITH (pages_per_range='16', autosummarize='on');
CREATE INDEX webhook_deliveries_vend_idx ON public.webhook_deliveries USING btree (vend_id) WHERE (vend_id <> event_id);

create table webhook_endpoints (
  id uuid not null,
  merchant_id integer not null,
  environment text not null,
  url text not null,
  description text not null default ''::text,
  types text[] not null default '{}'::text[],
  with_goods boolean not null default false,
  version text not null,
  secret text not null,
  old_secret text,
  old_secret_ends_at timestamp with time zone,
  state text not null default 'enabled'::text,
  reason text,
  disabled_at timestamp with time zone,
  position bigint not null,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  lane text not null default 'well'::text,
  due_at timestamp with time zone,
  lease_id uuid,
  tries integer not null default 0,
  alarmed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint webhook_endpoints_lane_check CHECK ((lane = ANY (ARRAY['well'::text, 'failing'::text]))),
  constraint webhook_endpoints_state_check CHECK ((state = ANY (ARRAY['enabled'::text, 'disabled'::text]))),
  constraint webhook_endpoints_merchant_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE INDEX webhook_endpoints_due_idx ON public.webhook_endpoints USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_endpoints_owner_idx ON public.webhook_endpoints USING btree (merchant_id, environment, id);

create function accept_vends(p_items accept_item[], p_wallet_ids bigint[], p_owner uuid) returns TABLE(ordinal integer, verdict text, vend_id uuid, status text) language plpgsql set enable_hashjoin=off set enable_mergejoin=off set enable_seqscan=off set plan_cache_mode=force_generic_plan;
create function add_up_deposits(p_from timestamp with time zone, p_to timestamp with time zone, p_seen pg_snapshot, p_cut pg_snapshot) returns TABLE(deposits bigint) language sql set enable_seqscan=off;
create function add_up_refunds(p_from timestamp with time zone, p_to timestamp with time zone, p_seen pg_snapshot, p_cut pg_snapshot) returns TABLE(refunds bigint) language sql set enable_hashjoin=off set enable_mergejoin=off set enable_seqscan=off;
create function add_up_report_refunds(p_from timestamp with time zone, p_to timestamp with time zone, p_seen pg_snapshot, p_cut pg_snapshot) returns bigint language sql set enable_hashjoin=off set enable_mergejoin=off set enable_seqscan=off;
create function add_up_report_sales(p_from timestamp with time zone, p_to timestamp with time zone, p_seen pg_snapshot, p_cut pg_snapshot) returns bigint language sql set enable_hashjoin=off set enable_mergejoin=off set enable_seqscan=off;
create function add_up_report_transfers(p_from timestamp with time zone, p_to timestamp with time zone, p_seen pg_snapshot, p_cut pg_snapshot) returns bigint language sql set enable_hashjoin=off set enable_mergejoin=off set enable_seqscan=off;
create function add_up_sales(p_from timestamp with time zone, p_to timestamp with time zone, p_seen pg_snapshot, p_cut pg_snapshot) returns TABLE(sales bigint, losses bigint, stops boolean) language sql set enable_hashjoin=off set enable_mergejoin=off set enable_seqscan=off;
create function allow_anonymising() returns trigger language plpgsql;
create function append_to_audit_chain(entry audit_log) returns void language plpgsql;
create function audit_entry_bytes(entry audit_log) returns bytea language plpgsql stable;
create function audit_time(at timestamp with time zone) returns text language sql stable;
create function booked_day(p_merchant_id integer, p_subject_id uuid, p_code text, p_at timestamp with time zone) returns date language sql stable;
create function chain_audit_entry() returns trigger language plpgsql;
create function change_wallet() returns trigger language plpgsql;
create function claim_lane_vends(p_owner uuid, p_provider text, p_step text, p_limit integer, p_after integer, p_lease_ms bigint, p_due_from timestamp with time zone) returns TABLE(merchant_id integer, environment text, vend_id uuid, wallet_id bigint, charge bigint, step text, attempts smallint, queries integer, not_found smallint, flagged boolean, evidence text, age_ms bigint, reference text, product text, network text, recipient text, face_value bigint, route text, details jsonb, mode text, provider text, refused text, attempt_provider text, attempt_reference text, attempt_age_ms bigint) language plpgsql set enable_bitmapscan=off set enable_hashjoin=off set enable_incremental_sort=off set enable_mergejoin=off set enable_seqscan=off set enable_sort=off;
create function claim_late_goods(p_limit integer, p_lease_ms bigint) returns TABLE(merchant_id integer, environment text, vend_id uuid, wallet_id bigint, charge bigint, queries integer, age_ms bigint, product text, network text, recipient text, face_value bigint, route text, details jsonb, attempt smallint, attempt_provider text, attempt_reference text, attempt_age_ms bigint) language plpgsql set enable_hashjoin=off set enable_mergejoin=off set enable_seqscan=off;
create function claim_overdue_vends(p_owner uuid, p_limit integer, p_async_ms bigint, p_sync_ms bigint, p_lease_ms bigint) returns TABLE(merchant_id integer, environment text, vend_id uuid, wallet_id bigint, charge bigint, step text, attempts smallint, queries integer, not_found smallint, flagged boolean, evidence text, age_ms bigint, reference text, product text, network text, recipient text, face_value bigint, route text, details jsonb, mode text, provider text, refused text, attempt_provider text, attempt_reference text, attempt_age_ms bigint) language plpgsql set enable_bitmapscan=off set enable_hashjoin=off set enable_incremental_sort=off set enable_mergejoin=off set enable_seqscan=off set enable_sort=off;
create function claim_vends(p_owner uuid, p_limit integer, p_lease_ms bigint) returns TABLE(merchant_id integer, environment text, vend_id uuid, wallet_id bigint, charge bigint, step text, attempts smallint, queries integer, not_found smallint, flagged boolean, age_ms bigint, reference text, product text, network text, recipient text, face_value bigint, route text, details jsonb, attempt_provider text, attempt_reference text, attempt_age_ms bigint) language plpgsql set enable_hashjoin=off set enable_mergejoin=off set enable_seqscan=off;
create function closed_day_hash(d closed_days) returns bytea language sql stable;
create function count_waiting_vends(p_providers text[], p_limit integer) returns TABLE(provider text, to_send integer, to_ask integer) language sql stable set enable_bitmapscan=off set enable_seqscan=off;
create function database_identity() returns text language plpgsql stable;
create function day_figures_hash(p_environment text, p_day date, p_pending jsonb) returns bytea language sql stable;
create function divert_vends(p_from text, p_to text[], p_limits integer[], p_waited_ms bigint, p_merchant integer, p_due timestamp with time zone) returns TABLE(provider text, moved integer, next_merchant integer, next_due timestamp with time zone) language plpgsql set enable_bitmapscan=off set enable_hashjoin=off set enable_mergejoin=off set enable_seqscan=off;
create function evidence_of(p pending_vends) returns text language sql immutable;
create function find_due_providers(p_providers text[], p_steps text[], p_due_from timestamp with time zone[]) returns TABLE(provider text) language plpgsql stable set enable_bitmapscan=off set enable_incremental_sort=off set enable_seqscan=off set enable_sort=off;
create function find_oldest_due(p_provider text, p_step text, p_due_from timestamp with time zone) returns timestamp with time zone language plpgsql stable set enable_bitmapscan=off set enable_incremental_sort=off set enable_seqscan=off set enable_sort=off;
create function is_moved(p_made_in text, p_seen text) returns boolean language sql stable;
create function is_seen(p_xmin xid, p_by pg_snapshot) returns boolean language sql stable;
create function lagos_day(at timestamp with time zone) returns date language sql immutable;
create function lease_vends(p_owner uuid, p_step text, p_merchant_ids integer[], p_vend_ids uuid[], p_lease_ms bigint) returns TABLE(merchant_id integer, environment text, vend_id uuid, wallet_id bigint, charge bigint, step text, attempts smallint, queries integer, not_found smallint, flagged boolean, evidence text, age_ms bigint, reference text, product text, network text, recipient text, face_value bigint, route text, details jsonb, mode text, provider text, refused text, attempt_provider text, attempt_reference text, attempt_age_ms bigint) language plpgsql set enable_hashjoin=off set enable_mergejoin=off set enable_seqscan=off;
create function lock_audit_chain() returns void language plpgsql;
create function next_wallet_state(p_wallet_id bigint, p_posted bigint, p_held bigint, p_floor bigint DEFAULT NULL::bigint) returns SETOF wallet_states language sql stable;
create function open_day(p_environment text, p_day date) returns date language sql stable;
create function post_transfers(p_merchant_id integer, p_wallet_id bigint, p_subject_id uuid, p_memo text, p_transfers json) returns void language plpgsql;
create function read_feed(p_merchant_id integer, p_environment text, p_after bigint, p_moved bigint, p_placed bigint) returns TABLE("position" bigint, id uuid, type text, vend_id uuid, product text, facts jsonb, at timestamp with time zone) language sql stable set enable_bitmapscan=off set enable_hashjoin=off set enable_mergejoin=off set enable_seqscan=off set enable_sort=off;
create function read_late_goods(p_merchant_ids integer[], p_vend_ids uuid[]) returns TABLE(merchant_id integer, environment text, vend_id uuid, wallet_id bigint, charge bigint, age_ms bigint, owed_ms bigint, product text, network text, recipient text, face_value bigint, route text, details jsonb, attempt smallint, attempt_provider text, attempt_reference text, attempt_age_ms bigint) language sql stable set enable_hashjoin=off set enable_mergejoin=off set enable_seqscan=off;
create function read_second_looks(p_provider text, p_until timestamp with time zone, p_limit integer) returns TABLE(merchant_id integer, environment text, vend_id uuid, wallet_id bigint, charge bigint, age_ms bigint, product text, network text, recipient text, face_value bigint, route text, details jsonb, attempt smallint, attempt_provider text, attempt_reference text, attempt_age_ms bigint, success_at text) language sql stable set enable_hashjoin=off set enable_mergejoin=off set enable_seqscan=off;
create function redeem_voucher(p_merchant_id integer, p_environment text, p_vend_id uuid, p_reference text, p_wallet_id bigint, p_charge bigint, p_voucher json) returns boolean language plpgsql;
create function refuse_change() returns trigger language plpgsql;
create function refuse_closed_day() returns trigger language plpgsql;
create function refuse_vend_change() returns trigger language plpgsql;
create function report_time_bounds() returns bigint[] language sql immutable;
create function resolve_aside(p_items resolve_item[], p_verdicts text[], p_statuses text[]) returns void language plpgsql set enable_hashjoin=off set enable_mergejoin=off set enable_seqscan=off set plan_cache_mode=force_generic_plan;
create function resolve_vends(p_items resolve_item[], p_wallet_ids bigint[]) returns TABLE(ordinal integer, verdict text, status text) language plpgsql set enable_hashjoin=off set enable_mergejoin=off set enable_seqscan=off set plan_cache_mode=force_generic_plan;
create function row_key(p_name text) returns bigint language sql stable;
create function seen_row_keys(p_mark text, p_from timestamp with time zone, p_to timestamp with time zone, p_by pg_snapshot) returns bigint[] language sql stable set enable_seqscan=off;
create function spend_within_caps(p_merchant_id integer, p_credential_id text, p_vend_id uuid, p_charge bigint, OUT verdict text, OUT cap bigint, OUT rest bigint) returns record language plpgsql;
create function translate_funding_lease() returns trigger language plpgsql;
create function wallet_state(p_wallet_id bigint) returns SETOF wallet_states language sql stable;
