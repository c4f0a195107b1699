-- The account at its provider that an attempt was sent to
-- (docs/decisions/0387-an-attempt-knows-its-account.md).
-- A keyed hash of the settings that name it. Null: not known, as of attempts from before.
alter table attempts add column account text;
