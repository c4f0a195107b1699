-- Statistics for tables that have never had a row.
--
-- PostgreSQL plans accept and resolve with the first purchase and keeps these plans. It has no
-- statistics of empty tables at that time, so an index whose first columns match seems as good as
-- the one that finds the row. Every lookup would then read all purchases of a merchant, until the
-- next automatic analysis. So the tables are analysed once with rows of a realistic shape: one
-- merchant, or one per cell, with different keys. Truncation empties them again: after a deletion,
-- a vacuum would find no rows and record that the table is empty. This is a separate migration,
-- because truncation keeps the recorded size only in another transaction than the one that created
-- the table.
alter table purchases disable trigger purchases_append_only;
alter table purchase_outcomes disable trigger purchase_outcomes_append_only;
alter table further_attempts disable trigger further_attempts_append_only;
alter table further_answers disable trigger further_answers_append_only;
alter table transfers disable trigger transfers_append_only;

-- The smallest merchant id of each partition, found by inserting rows. Without partitions it is 0.
insert into capped_purchases (merchant_id, purchase_id, key_id, day, amount)
select n, gen_random_uuid(), 'none', current_date, 1
from generate_series(0, 999) as n;

insert into purchases (
  merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value, charge, wallet_id,
  mode, route, attempt_reference
)
select
  merchant_id, 'test', gen_random_uuid(), 'r' || n, 'airtime', (array['MTN', 'GLO', 'AIRTEL', '9MOBILE'])[1 + n % 4],
  '0' || n, '234' || n, 1, 1, 0, 'sync', 'none', 'a' || n
from (
  select min(merchant_id) as merchant_id
  from capped_purchases
  group by tableoid
) as m
cross join generate_series(1, 2000) as n;

truncate capped_purchases;

insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
select merchant_id, id, 1, 'none', reference, 'none'
from purchases;

insert into pending_purchases (
  merchant_id, environment, purchase_id, wallet_id, charge, step, due_at, delivers, provider, network, recipient
)
select
  merchant_id, environment, id, 0, 1, 'query', now() + random() * interval '1 day', false, 'none', network, recipient
from purchases;

insert into further_answers (merchant_id, purchase_id, attempt, source, kind, code, message)
select merchant_id, id, 1, 'purchase', 'success', 'none', 'none'
from purchases;

insert into purchase_outcomes (
  merchant_id, environment, purchase_id, status, reason, network, recipient, attempt, answer_source, answer_kind, answer_code,
  answer_message
)
select merchant_id, environment, id, 'success', 'delivered', network, recipient, 1, 'purchase', 'success', 'none', 'none'
from purchases;

insert into transfers (merchant_id, subject_id, code, debit_account_id, credit_account_id, amount)
select merchant_id, id, 'purchase_cost', 1, 2, 1
from purchases;

analyze purchases, further_attempts, pending_purchases, further_answers, purchase_outcomes, transfers;
truncate purchases, further_attempts, pending_purchases, further_answers, purchase_outcomes, transfers;

alter table purchases enable trigger purchases_append_only;
alter table purchase_outcomes enable trigger purchase_outcomes_append_only;
alter table further_attempts enable trigger further_attempts_append_only;
alter table further_answers enable trigger further_answers_append_only;
alter table transfers enable trigger transfers_append_only;

-- The rows used numbers of the sequence of transfers. A new installation begins at 1.
alter sequence transfers_id_seq restart;
