-- The sending of an order to its customer, by e-mail, SMS or WhatsApp: one row for each order that asks for it, from its acceptance on.
create table deliveries (
  merchant_id integer not null,
  environment text not null,
  vend_id uuid not null,
  channel text not null check (channel in ('email', 'sms', 'whatsapp')),
  -- Sealed (src/sealing.ts).
  destination text not null,
  -- What support sees of it.
  hint text not null,
  -- waiting: the order is not a success with its goods yet. due: to be sent at due_at. sending: in the hands of a process, which is taken for gone
  -- at due_at. sent | refused (by the carrier, finally) | unknown (perhaps sent, not sent again by itself) | given_up | cancelled (the order failed).
  state text not null default 'waiting'
    check (state in ('waiting', 'due', 'sending', 'sent', 'refused', 'unknown', 'given_up', 'cancelled')),
  due_at timestamptz,
  tries integer not null default 0,
  -- What the last try brought.
  code text,
  note text,
  -- The carrier's own name of the message.
  message_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, vend_id),
  constraint deliveries_due check ((due_at is not null) = (state in ('due', 'sending')))
);

create index deliveries_due_idx on deliveries (due_at) where due_at is not null;
create index deliveries_open_idx on deliveries (state, updated_at) where state not in ('sent', 'cancelled');
