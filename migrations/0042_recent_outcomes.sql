-- What became final in the last day, in slots of five minutes: how providers do over 24 hours
-- (docs/decisions/0377-a-rolling-day-in-slots.md). It is added up behind the purchases, with the
-- reports (src/reports/add-up.ts). A purchase does not write to it.
create table recent_outcomes (
  -- Where the five minutes begin.
  slot timestamptz not null,
  environment text not null,
  provider text not null,
  product text not null,
  network text not null,
  delivered boolean not null,
  -- Of the provider's answer to the order, as report_times has it. -1: no time is known.
  latency_class smallint not null,
  count bigint not null,
  longest_ms bigint not null,
  constraint recent_outcomes_pkey primary key (
    slot, environment, provider, product, network, delivered, latency_class
  )
) with (fillfactor = 70);

-- What became final before, and was added up before, is not in recent_outcomes. Nothing is added up
-- while this runs: the mark is locked.
alter table report_mark add column recent_from timestamptz not null default '-infinity';

update report_mark
set recent_from = clock_timestamp()
where exists (select from report_sales);
