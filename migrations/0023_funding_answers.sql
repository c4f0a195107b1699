-- What a bank's notice says against an account that it was asked for. It is a hint: the bank is asked
-- back before the account counts as refused.
alter table funding_accounts add column refusal_told text;

-- Corrections of wallets that carry a key of the operator's own: each key is booked once.
create table correction_keys (
  wallet_id bigint not null,
  key text not null,
  subject_id uuid not null,
  amount bigint not null,
  at timestamptz not null default now(),
  constraint correction_keys_pkey primary key (wallet_id, key)
);
create trigger correction_keys_append_only before update or delete or truncate on correction_keys
  for each statement execute function refuse_change();

-- What banks said before quoted what they were sent: numbers and addresses of people.
update funding_accounts
set refusal = regexp_replace(
  regexp_replace(refusal, '[^[:space:]@]+@[^[:space:]@]+', '[e-mail]', 'g'), '[0-9*]([ -]?[0-9*]){3,}', '[number]', 'g'
)
where refusal is not null;
update alarms
set message = regexp_replace(
  regexp_replace(message, '[^[:space:]@]+@[^[:space:]@]+', '[e-mail]', 'g'), '[0-9*]([ -]?[0-9*]){3,}', '[number]', 'g'
)
where kind = 'funding_refused';
