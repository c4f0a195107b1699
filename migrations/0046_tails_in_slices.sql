-- What a round adds from next_from_at on is added in slices too
-- (docs/decisions/0388-adding-up-goes-in-thin-slices.md).
-- cut_at: when the round in hand began; null: a gateway of an older version began it. cut_keys: the
-- keys of what it has added from next_from_at on, as seen_keys are of the round before.
alter table money_marks
  add column cut_at timestamptz,
  add column cut_keys bigint[];
alter table report_mark
  add column cut_at timestamptz,
  add column cut_keys bigint[];
