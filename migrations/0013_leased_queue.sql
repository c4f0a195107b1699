-- One naming for what lies in a leased queue (src/queue/leased-queue.ts): due_at, lease_id, tries, alarmed_at. What is under way is carried over.

alter table deliveries
  add column lease_id uuid,
  add column alarmed_at timestamptz;

-- What is being sent stays so: its lease is nobody's, and runs out when it would have.
update deliveries
set lease_id = gen_random_uuid()
where state = 'sending';

update deliveries d
set alarmed_at = a.at
from (
  select merchant_id, vend_id, max(at) as at
  from alarms
  where kind = 'delivery'
  group by merchant_id, vend_id
) as a
where d.merchant_id = a.merchant_id
and d.vend_id = a.vend_id;

-- A program that does not know of leases cannot take what this one would take for free, and send it a second time.
alter table deliveries add constraint deliveries_leased
  check ((state = 'sending') = (lease_id is not null and due_at is not null));

alter table late_goods
  add column lease_id uuid,
  add column alarmed_at timestamptz;
alter table late_goods rename column queries to tries;
drop function if exists claim_late_goods(integer, bigint);
delete from schema_functions where name = 'claim_late_goods.sql';

alter table bank_notices
  add column lease_id uuid,
  add column alarmed_at timestamptz,
  -- Since when it is to be read back, this time: one that was settled may be told of again.
  add column open_since timestamptz not null default now();

update bank_notices n
set
  open_since = n.received_at,
  -- Those whose alarm was missed are told of now.
  alarmed_at = (
    select min(a.at)
    from alarms a
    where a.kind = 'deposit_unread'
    and starts_with(a.message, format('%s told of payment %s a day ago', n.provider, n.reference))
  )
where n.outcome is null;

alter table funding_accounts
  add column lease_id uuid,
  add column alarmed_at timestamptz,
  -- Since when the bank owes it: since the registration that it was asked with, the first or the one after its last refusal.
  add column requested_at timestamptz;
alter table funding_accounts rename column asked to tries;

update funding_accounts f
set
  lease_id = case when f.due_at is not null and f.asking_until > now() then gen_random_uuid() end,
  requested_at = f.created_at,
  alarmed_at = (
    select min(a.at)
    from alarms a
    where a.kind = 'funding_overdue'
    and a.merchant_id = f.merchant_id
    and a.message = format('%s has not opened the %s account %s within a day', f.provider, f.currency, f.reference)
  );

alter table funding_accounts
  alter column requested_at set not null,
  alter column requested_at set default now(),
  drop column asking_until;
