-- Spend caps of credentials, and whether agents may buy with one
-- (docs/decisions/0341-caps-are-kept-at-accept.md).

-- In minor units of the wallet's currency. `spends_as` is set by a rotation: the day's spending is
-- counted under the first credential, so that a rotation does not begin a new sum.
alter table credentials
  add column purchase_cap bigint,
  add column daily_cap bigint,
  add column mcp_purchases boolean not null default false,
  add column spends_as text,
  add constraint credentials_caps_check check (purchase_cap > 0 and daily_cap > 0),
  add constraint credentials_mcp_check check (not mcp_purchases or (purchase_cap is not null and daily_cap is not null));

-- What a capped credential spent on a day of Lagos: the sum of its rows of `capped_vends`.
create table credential_spending (
  merchant_id integer not null,
  key_id text not null,
  day date not null,
  spent bigint not null,
  constraint credential_spending_pkey primary key (merchant_id, key_id, day),
  constraint credential_spending_check check (spent >= 0)
);

create index credential_spending_day_idx on credential_spending (day);

-- A purchase that is counted against a cap. The row goes when the purchase fails.
create table capped_vends (
  merchant_id integer not null,
  vend_id uuid not null,
  key_id text not null,
  day date not null,
  amount bigint not null,
  constraint capped_vends_pkey primary key (merchant_id, vend_id)
);

create index capped_vends_day_idx on capped_vends (merchant_id, key_id, day);
