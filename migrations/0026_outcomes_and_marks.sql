-- no transaction
-- To complete an outcome of an earlier version moves its row among newer ones, and leaves room that
-- newer ones take (src/vending/history/complete-listed-store.ts). Then a range of blocks has times
-- that are far apart, and one span from the first to the last leads nearly everywhere. So an entry
-- has several spans. If this file was cut short it runs again.
drop index concurrently if exists vend_outcomes_next_time_idx;
create index concurrently vend_outcomes_next_time_idx on vend_outcomes
  using brin (at timestamptz_minmax_multi_ops) with (pages_per_range = 64, autosummarize = on);

-- There is one of the two at any time: second looks and audits go on.
drop index concurrently if exists vend_outcomes_time_idx;
alter index vend_outcomes_next_time_idx rename to vend_outcomes_time_idx;

-- The wallet's own last transfer up to a mark: statements pass over what other wallets of its
-- merchant moved. Marks of earlier versions are told it in the background
-- (src/wallet/mark-statements.ts).
alter table statement_marks add column if not exists last_id bigint;
