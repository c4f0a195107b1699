-- no transaction
-- What audits found, one row each, and from where the next one may go on: `oja audit --since-last`
-- (docs/decisions/0304-audit-since-the-last.md). If this file was cut short it runs again: an index
-- that was left half built is dropped first.

-- `started_after` is the newest run there was when it started. Snapshot, time and sums are those of
-- the moment whose balances were proven; sums are kept with the newest clean run alone.
create table if not exists audit_runs (
  id bigint generated always as identity constraint audit_runs_pkey primary key,
  kind text not null constraint audit_runs_kind_check check (kind in ('whole', 'since_last')),
  since_id bigint,
  started_after bigint not null,
  started_at timestamptz not null,
  ended_at timestamptz not null default now(),
  checks_version text not null,
  database_id text not null,
  failed text[] not null,
  snapshot text not null,
  cut_at timestamptz not null,
  sums jsonb
);

-- What is newer than a moment is found by blocks: rows are appended in the order of time. Such an
-- index costs a batch next to nothing.
drop index concurrently if exists vends_time_idx;
create index concurrently vends_time_idx on vends using brin (created_at) with (pages_per_range = 64, autosummarize = on);

drop index concurrently if exists attempts_time_idx;
create index concurrently attempts_time_idx on attempts using brin (started_at) with (pages_per_range = 64, autosummarize = on);

drop index concurrently if exists provider_answers_time_idx;
create index concurrently provider_answers_time_idx on provider_answers using brin (at) with (pages_per_range = 64, autosummarize = on);

drop index concurrently if exists vend_outcomes_time_idx;
create index concurrently vend_outcomes_time_idx on vend_outcomes using brin (at) with (pages_per_range = 64, autosummarize = on);

drop index concurrently if exists transfers_time_idx;
create index concurrently transfers_time_idx on transfers using brin (created_at) with (pages_per_range = 64, autosummarize = on);

drop index concurrently if exists vend_goods_time_idx;
create index concurrently vend_goods_time_idx on vend_goods using brin (at) with (pages_per_range = 64, autosummarize = on);

drop index concurrently if exists sealed_goods_time_idx;
create index concurrently sealed_goods_time_idx on sealed_goods using brin (at) with (pages_per_range = 64, autosummarize = on);

drop index concurrently if exists deliveries_time_idx;
create index concurrently deliveries_time_idx on deliveries using brin (updated_at) with (pages_per_range = 64, autosummarize = on);

drop index concurrently if exists alarms_time_idx;
create index concurrently alarms_time_idx on alarms using brin (at) with (pages_per_range = 64, autosummarize = on);

drop index concurrently if exists voucher_redemptions_time_idx;
create index concurrently voucher_redemptions_time_idx on voucher_redemptions using brin (at) with (pages_per_range = 64, autosummarize = on);

-- What belongs to a vend, or to the subject of a transfer.
drop index concurrently if exists alarms_vend_idx;
create index concurrently alarms_vend_idx on alarms (merchant_id, vend_id);

drop index concurrently if exists voucher_redemptions_redeem_idx;
create index concurrently voucher_redemptions_redeem_idx on voucher_redemptions (merchant_id, redeem_id);

drop index concurrently if exists voucher_redemptions_settle_idx;
create index concurrently voucher_redemptions_settle_idx on voucher_redemptions (merchant_id, settle_id);
