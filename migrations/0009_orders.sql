-- Orders of gift cards and eSIMs: what they brought is kept sealed, apart from what the outcome says in clear.

-- One row a delivered order, also when its goods came late. Sealed again under another key when keys rotate, otherwise never changed.
create table sealed_goods (
  merchant_id integer not null,
  vend_id uuid not null,
  -- Names the key that opens it (src/sealing.ts).
  key_id text not null,
  sealed text not null,
  at timestamptz not null default now(),
  primary key (merchant_id, vend_id)
);

-- Test credentials are always served by the sandbox.
insert into routes (environment, product, network, position, provider)
values
  ('test', 'GIFTCARD', '*', 1, 'sandbox'),
  ('test', 'ESIM', '*', 1, 'sandbox');
