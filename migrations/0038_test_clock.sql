-- The clocks of test credentials (docs/decisions/0336-a-test-clock-is-a-list-of-moves.md).

-- How far a merchant has moved its test clock, and when. A purchase is older by what was moved
-- since it was accepted. No age is stored.
create table test_clock_moves (
  merchant_id integer not null,
  -- Of the database's clock, so that ages can be compared with it.
  moved_at timestamptz not null default clock_timestamp(),
  advance_s integer not null check (advance_s > 0),
  -- All moves so far, this one included.
  offset_s bigint not null,
  constraint test_clock_moves_pkey primary key (merchant_id, moved_at)
);
