-- Statements of wallets, and the balances of MTN vending lines.

-- When a transfer was posted, told under the lock of the wallet it moves, and no longer when its transaction began: the transfers of a wallet
-- are then in one order by id, by time and by commit, and a day that is over gets no more of them.
alter table transfers alter column created_at set default clock_timestamp();

-- What a wallet had posted after a transfer, every so many transfers: a statement adds up from the mark before, whatever the length of
-- history. Derived from transfers, and `oja audit` compares the two.
create table statement_marks (
  wallet_id bigint not null references wallets,
  -- The last transfer of the merchant that is counted in.
  transfer_id bigint not null,
  -- When the wallet last moved by then: not after any transfer that comes later.
  at timestamptz not null,
  balance bigint not null,
  primary key (wallet_id, transfer_id)
);

-- Vending lines at MTN whose balance a merchant may look up. An operator adds them.
create table mtn_lines (
  merchant_id integer not null references merchants,
  environment text not null check (environment in ('test', 'live')),
  -- International digits.
  phone text not null,
  client_name text not null,
  -- What the line had, in kobo, when a provider last said so.
  balance bigint,
  balance_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (merchant_id, environment, phone)
);
