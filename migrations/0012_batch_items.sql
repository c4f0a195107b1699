-- What accept_vends, resolve_vends and resolve_aside (functions) are given of each item of a batch. The gateway sends these as arrays in binary, so a
-- type that is in use never changes: another item is another type, and another function beside the one that takes this.

-- A movement of money, as the caller names it (src/chart-of-accounts.ts).
create type transfer_item as (
  code text,
  debit bigint,
  credit bigint,
  amount bigint
);

-- A purchase to be stored (src/vending/accept-store.ts).
create type accept_item as (
  ordinal integer,
  merchant_id integer,
  environment text,
  id uuid,
  reference text,
  product text,
  network text,
  plan_code text,
  msisdn text,
  recipient text,
  face_value bigint,
  charge bigint,
  wallet_id bigint,
  mode text,
  route text,
  details jsonb,
  credential_id text,
  created_at timestamptz,
  -- The first attempt, where the request itself makes the call.
  provider text,
  provider_reference text,
  reason text,
  -- Why it failed before it could be sent.
  refusal text,
  refusal_message text,
  telco_message text,
  delivery json,
  voucher json
);

-- An answer about a vend, and what it decides (src/vending/resolve-store.ts).
create type resolve_item as (
  ordinal integer,
  merchant_id integer,
  environment text,
  vend_id uuid,
  network text,
  attempt smallint,
  source text,
  kind text,
  code text,
  message text,
  provider text,
  provider_id text,
  latency_ms integer,
  effect text,
  reason text,
  outcome_message text,
  telco_message text,
  cost bigint,
  goods jsonb,
  sealed text,
  goods_missing boolean,
  due_ms bigint,
  flag boolean,
  transfers transfer_item[],
  voucher json
);

drop function if exists accept_vends(json, json, bigint[], uuid);
drop function if exists resolve_vends(json, bigint[]);
drop function if exists resolve_aside(json, text[], text[]);
