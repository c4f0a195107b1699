-- Vouchers: codes of a value that a merchant's own money stands behind, each redeemed into one eSIM.

-- One row a code. The code itself is kept nowhere.
create table vouchers (
  merchant_id integer not null references merchants,
  id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  -- The vouchers that were issued together; the subject of the transfer that took their value from the wallet.
  issue_id uuid not null,
  -- A keyed hash (src/vouchers/voucher-code.ts).
  code_hash bytea not null check (octet_length(code_hash) = 32),
  -- The last characters of the code: what support sees of it.
  hint text not null,
  -- In kobo.
  value bigint not null check (value > 0),
  issued_at timestamptz not null default now(),
  cancelled_at timestamptz,
  primary key (merchant_id, id)
);

create unique index vouchers_code_key on vouchers (merchant_id, environment, code_hash);
create index vouchers_issue_idx on vouchers (merchant_id, issue_id);

-- One row an order that a voucher pays. Written and given back under the lock of the merchant's wallet, like all that moves its money.
create table voucher_redemptions (
  merchant_id integer not null,
  vend_id uuid not null,
  voucher_id uuid not null,
  -- The subjects of the transfers: of the one that pays the order, and of the one that gives back what it did not need.
  redeem_id uuid not null,
  settle_id uuid not null,
  at timestamptz not null default now(),
  -- The order failed, and the voucher can be redeemed again.
  returned_at timestamptz,
  primary key (merchant_id, vend_id),
  foreign key (merchant_id, voucher_id) references vouchers
);

-- A voucher pays one order, whatever happens at once.
create unique index voucher_redemptions_open_key on voucher_redemptions (merchant_id, voucher_id) where returned_at is null;
