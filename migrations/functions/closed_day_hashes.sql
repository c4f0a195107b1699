-- The hash of all figures of a day. Each table contributes the hash of its rows, as text, in key
-- order.
create or replace function day_figures_hash(p_environment text, p_day date, p_pending jsonb) returns bytea
language sql
stable
as $$
  select sha256(
    sha256(convert_to(p_pending::text, 'UTF8'))
    || sha256(convert_to(coalesce((
      select string_agg(concat_ws('|', accepted_day, merchant_id, product, network, plan_kind, provider, currency, successes, failures,
          refused, face_value, charge, cost, estimated_cost, losses, loss, held, waited), E'\n'
        order by accepted_day, merchant_id, product collate "C", network collate "C", plan_kind collate "C",
          provider collate "C", currency collate "C")
      from report_sales
      where environment = p_environment
      and day = p_day
    ), ''), 'UTF8'))
    || sha256(convert_to(coalesce((
      select string_agg(concat_ws('|', merchant_id, product, network, plan_kind, provider, currency, measure, class, count, longest_ms),
          E'\n'
        order by merchant_id, product collate "C", network collate "C", plan_kind collate "C", provider collate "C",
          currency collate "C", measure collate "C", class)
      from report_times
      where environment = p_environment
      and day = p_day
    ), ''), 'UTF8'))
    || sha256(convert_to(coalesce((
      select string_agg(concat_ws('|', sale_day, kind, merchant_id, product, network, plan_kind, provider, currency, count, amount),
          E'\n'
        order by sale_day, kind collate "C", merchant_id, product collate "C", network collate "C", plan_kind collate "C",
          provider collate "C", currency collate "C")
      from report_refunds
      where environment = p_environment
      and day = p_day
    ), ''), 'UTF8'))
    || sha256(convert_to(coalesce((
      select string_agg(concat_ws('|', code, debit_account_id, credit_account_id, count, amount), E'\n'
        order by code collate "C", debit_account_id, credit_account_id)
      from report_ledger
      where environment = p_environment
      and day = p_day
    ), ''), 'UTF8'))
    || sha256(convert_to(coalesce((
      select string_agg(concat_ws('|', account_id, balance), E'\n' order by account_id)
      from closed_balances
      where environment = p_environment
      and day = p_day
    ), ''), 'UTF8'))
  );
$$;

-- The hash of a closed day. It covers the hash of the closed day before, the day's figures, the end
-- of the audit log, and who closed the day and when.
create or replace function closed_day_hash(d closed_days) returns bytea
language sql
stable
as $$
  select sha256(
    d.previous_hash || d.figures_hash || d.audit_hash
    || convert_to(
      concat_ws('|', d.environment, d.day, d.audit_position, audit_time(d.closed_at), d.closed_by, d.closed_principal), 'UTF8'
    )
  );
$$;
