-- Some providers take a success back later, and say so only to who asks again. So each success is
-- asked about once more, a day after it (src/vending/reversals/look-again.ts). One row a provider:
-- the success that was asked about last, and the columns of the leased queue.
create table second_looks (
  provider text constraint second_looks_pkey primary key,
  last_at timestamptz not null,
  last_merchant_id integer not null default 0,
  last_vend_id uuid not null default '00000000-0000-0000-0000-000000000000',
  due_at timestamptz,
  lease_id uuid,
  tries integer not null default 0,
  alarmed_at timestamptz
);
