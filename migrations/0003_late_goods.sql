-- Goods that a provider owes after it has said success: a meter's token that comes later.

-- Final vends whose goods are still asked for. A row is deleted when they have come.
create table late_goods (
  merchant_id integer not null,
  environment text not null,
  vend_id uuid not null,
  due_at timestamptz not null,
  queries integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (merchant_id, vend_id)
);

create index late_goods_due_idx on late_goods (due_at);

-- Goods that came after the outcome, added to what the outcome says. Never changed.
create table vend_goods (
  merchant_id integer not null,
  vend_id uuid not null,
  goods jsonb not null,
  at timestamptz not null default now(),
  primary key (merchant_id, vend_id)
);

create trigger vend_goods_append_only before update or delete or truncate on vend_goods for each statement execute function refuse_change();
