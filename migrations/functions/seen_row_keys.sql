-- The keys of the rows from one time to another that a snapshot sees, of what a mark goes through:
-- `report`, `sales`, `deposits` or `refunds`.
create or replace function seen_row_keys(p_mark text, p_from timestamptz, p_to timestamptz, p_by pg_snapshot) returns bigint[]
language sql
stable
set enable_seqscan = off
as $$
  select coalesce(array_agg(row_key(name)), '{}')
  from (
    select concat_ws('/', 'outcome', o.merchant_id, o.vend_id) as name
    from (
      select merchant_id, vend_id, xmin as inserted_by
      from vend_outcomes
      where at >= p_from
      and at < p_to
      and p_mark in ('report', 'sales')
      offset 0
    ) as o
    where is_seen(o.inserted_by, p_by)
    union all
    select concat_ws('/', 'refund', r.merchant_id, r.refund_id)
    from (
      select merchant_id, refund_id, xmin as inserted_by
      from vend_refunds
      where at >= p_from
      and at < p_to
      and p_mark in ('report', 'refunds')
      offset 0
    ) as r
    where is_seen(r.inserted_by, p_by)
    union all
    select concat_ws('/', 'deposit', d.id)
    from (
      select id, xmin as inserted_by
      from deposits
      where created_at >= p_from
      and created_at < p_to
      and p_mark = 'deposits'
      offset 0
    ) as d
    where is_seen(d.inserted_by, p_by)
    union all
    select concat_ws('/', 'transfer', t.merchant_id, t.subject_id, t.code)
    from (
      select merchant_id, subject_id, code, xmin as inserted_by
      from transfers
      where created_at >= p_from
      and created_at < p_to
      and p_mark = 'report'
      offset 0
    ) as t
    where is_seen(t.inserted_by, p_by)
  ) as rows;
$$;
