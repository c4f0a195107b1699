-- Autovacuum, told of tables that only grow.
--
-- Their rows never die, so a vacuum of one only marks pages for later, and what the planner knows of them changes slowly. By default a
-- fifth more rows is enough for the one and a tenth for the other: in a young and busy installation that is every few seconds for
-- five tables, and took a sixth of the throughput of two processors.
alter table vends set (
  autovacuum_vacuum_insert_threshold = 5000000,
  autovacuum_analyze_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.5
);
alter table attempts set (
  autovacuum_vacuum_insert_threshold = 5000000,
  autovacuum_analyze_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.5
);
alter table provider_answers set (
  autovacuum_vacuum_insert_threshold = 5000000,
  autovacuum_analyze_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.5
);
alter table vend_outcomes set (
  autovacuum_vacuum_insert_threshold = 5000000,
  autovacuum_analyze_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.5
);
alter table transfers set (
  autovacuum_vacuum_insert_threshold = 5000000,
  autovacuum_analyze_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.5
);

-- A row of pending_vends lives for a moment, so at full speed there are thousands of dead ones a second. Look-ups go by its key and do not
-- meet them: they are swept in larger heaps than 0001 said.
alter table pending_vends set (autovacuum_vacuum_threshold = 100000);

-- The newest purchases of one network, however rare it is among the others.
create index vends_network_idx on vends (merchant_id, environment, network, id);

-- The statistics of 0004 again, for they must know the new index, and so that they last: rows that are deleted leave a table to be vacuumed,
-- and a vacuum that finds nothing in it says that it is empty, whereupon every index looks equally good to the planner. A
-- truncated table has nothing to vacuum. One with real rows is analysed as it is.
do $$
begin
  if exists (select 1 from vends) or exists (select 1 from transfers) then
    analyze vends, attempts, pending_vends, provider_answers, vend_outcomes, transfers;
    return;
  end if;
  alter table vends disable trigger vends_append_only;
  alter table attempts disable trigger attempts_append_only;
  alter table provider_answers disable trigger provider_answers_append_only;
  alter table transfers disable trigger transfers_append_only;

  insert into vends (
    merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value, charge, wallet_id, mode, route, credential_id
  )
  select
    0, 'test', gen_random_uuid(), 'r' || n, 'airtime', (array['MTN', 'GLO', 'AIRTEL', '9MOBILE'])[1 + n % 4], '0' || n, '234' || n, 1, 1, 0,
    'sync', 'none', 'none'
  from generate_series(1, 2000) as n;
  insert into attempts (merchant_id, vend_id, number, provider, reference, reason)
  select merchant_id, id, 1, 'none', reference, 'none'
  from vends;
  insert into pending_vends (merchant_id, environment, vend_id, wallet_id, charge, step, due_at)
  select merchant_id, environment, id, 0, 1, 'query', now() + random() * interval '1 day'
  from vends;
  insert into provider_answers (merchant_id, vend_id, attempt, source, kind, code, message)
  select merchant_id, id, 1, 'vend', 'success', 'none', 'none'
  from vends;
  insert into vend_outcomes (merchant_id, environment, vend_id, status, reason, message)
  select merchant_id, environment, id, 'success', 'delivered', 'none'
  from vends;
  insert into transfers (merchant_id, subject_id, code, debit_account_id, credit_account_id, amount)
  select merchant_id, id, 'vend_cost', 1, 2, 1
  from vends;
  analyze vends, attempts, pending_vends, provider_answers, vend_outcomes, transfers;
  truncate vends, attempts, pending_vends, provider_answers, vend_outcomes, transfers;

  alter table vends enable trigger vends_append_only;
  alter table attempts enable trigger attempts_append_only;
  alter table provider_answers enable trigger provider_answers_append_only;
  alter table transfers enable trigger transfers_append_only;
end
$$;
