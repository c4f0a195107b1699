-- Statistics for tables that have never had a row.
--
-- The plans of accept and resolve are made when the first purchase comes, and kept. PostgreSQL knows nothing of empty tables then, and
-- an index whose first columns match looks as good to it as the one that finds the row: every look-up would read all the purchases of
-- a merchant, until the next automatic analysis. So the tables are analysed once with rows of the shape they will have: one merchant,
-- keys that differ. The rows are gone again before this migration commits; the statistics stay until real ones replace them.

alter table vends disable trigger vends_append_only;
alter table attempts disable trigger attempts_append_only;
alter table provider_answers disable trigger provider_answers_append_only;
alter table transfers disable trigger transfers_append_only;

insert into vends (
  merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value, charge, wallet_id, mode, route, credential_id
)
select 0, 'test', gen_random_uuid(), 'r' || n, 'airtime', 'MTN', '0' || n, '234' || n, 1, 1, 0, 'sync', 'none', 'none'
from generate_series(1, 2000) as n;

insert into attempts (merchant_id, vend_id, number, provider, reference, reason)
select merchant_id, id, 1, 'none', reference, 'none'
from vends
where merchant_id = 0;

insert into pending_vends (merchant_id, environment, vend_id, wallet_id, charge, step, due_at)
select merchant_id, environment, id, 0, 1, 'query', now() + random() * interval '1 day'
from vends
where merchant_id = 0;

insert into provider_answers (merchant_id, vend_id, attempt, source, kind, code, message)
select merchant_id, id, 1, 'vend', 'success', 'none', 'none'
from vends
where merchant_id = 0;

insert into vend_outcomes (merchant_id, environment, vend_id, status, reason, message)
select merchant_id, environment, id, 'success', 'delivered', 'none'
from vends
where merchant_id = 0;

insert into transfers (merchant_id, subject_id, code, debit_account_id, credit_account_id, amount)
select merchant_id, id, 'vend_cost', 1, 2, 1
from vends
where merchant_id = 0;

analyze vends, attempts, pending_vends, provider_answers, vend_outcomes, transfers;

delete from transfers where merchant_id = 0 and debit_account_id = 1 and credit_account_id = 2 and code = 'vend_cost';
delete from vend_outcomes where merchant_id = 0;
delete from provider_answers where merchant_id = 0;
delete from pending_vends where merchant_id = 0;
delete from attempts where merchant_id = 0;
delete from vends where merchant_id = 0;

alter table vends enable trigger vends_append_only;
alter table attempts enable trigger attempts_append_only;
alter table provider_answers enable trigger provider_answers_append_only;
alter table transfers enable trigger transfers_append_only;
