-- Live money that one person gave away by hand: how much that is in a day is bounded
-- (`src/approvals/bound-gifts.ts`). What a second person approved is not in it.
create table gifts (
  id bigint not null generated always as identity,
  at timestamptz not null default now(),
  principal text not null,
  operation text not null,
  -- In kobo.
  amount bigint not null,
  constraint gifts_pkey primary key (id),
  constraint gifts_amount_positive check (amount > 0)
);
create index gifts_at_idx on gifts (at, principal, amount);
create trigger gifts_append_only before update or delete or truncate on gifts
  for each statement execute function refuse_change();
