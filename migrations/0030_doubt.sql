-- Acts that need a second person. Their input waits here until somebody else approves it, and is
-- then carried out as it is.
create table approvals (
  id uuid not null,
  operation text not null,
  input jsonb not null,
  -- The key of the act, where it has one: the same is asked for once.
  key text,
  asked_by text not null,
  asked_principal text not null,
  asked_edge text not null,
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '72 hours',
  constraint approvals_pkey primary key (id)
);
create index approvals_key_idx on approvals (operation, key, id) where key is not null;
create trigger approvals_append_only before update or delete or truncate on approvals
  for each statement execute function refuse_change();

-- The primary key makes a second decision impossible.
create table approval_decisions (
  approval_id uuid not null references approvals,
  decision text not null,
  decided_by text not null,
  decided_principal text not null,
  decided_at timestamptz not null default now(),
  -- Why it was rejected.
  reason text,
  -- What the act answered.
  output jsonb,
  constraint approval_decisions_pkey primary key (approval_id),
  constraint approval_decisions_decision check (decision in ('approved', 'rejected'))
);
create trigger approval_decisions_append_only before update or delete or truncate on approval_decisions
  for each statement execute function refuse_change();

-- Money that was given back for a successful purchase: to the merchant, or by the provider to us. The
-- refund's id is the subject of its transfer. Written under the lock of the purchase's wallet.
create table vend_refunds (
  merchant_id integer not null,
  refund_id uuid not null,
  environment text not null,
  vend_id uuid not null,
  kind text not null,
  amount bigint not null,
  reason text not null,
  refunded_by text not null,
  refunded_principal text not null,
  at timestamptz not null default now(),
  constraint vend_refunds_pkey primary key (merchant_id, refund_id),
  constraint vend_refunds_kind check (kind in ('merchant', 'provider')),
  constraint vend_refunds_amount check (amount > 0)
);
create index vend_refunds_vend_idx on vend_refunds (merchant_id, vend_id);
create index vend_refunds_time_idx on vend_refunds using brin (at) with (pages_per_range = 64, autosummarize = on);
create trigger vend_refunds_append_only before update or delete or truncate on vend_refunds
  for each statement execute function refuse_change();
