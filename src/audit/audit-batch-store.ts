/** Checks of batches: each row has bought its own purchase, and none is lost. */
import type { AuditCheck } from './audit-store.ts';

/** Older batches no longer change. */
const recent = `(
    select *
    from batches
    where changed_at > now() - interval '35 days'
  )`;

export const batchChecks: readonly AuditCheck[] = [
  {
    name: 'batch-purchases',
    over: 'slice',
    description: 'The purchase under the reference of a batch row matches the row',
    differences: `
      select v.merchant_id, v.id as purchase, b.id as batch, r.line, r.face_value as row_amount, v.face_value as amount
      from purchases v
      join batches b
        on b.merchant_id = v.merchant_id
        and b.environment = v.environment
        and b.hash = substr(v.reference, 7, 32)
      join lateral (
        select *
        from batch_rows r
        where r.merchant_id = b.merchant_id
        and r.batch_id = b.id
        and r.line = case when v.reference ~ '-[0-9]{1,5}$' then substr(v.reference, 40)::integer end
        offset 0
      ) r on true
      where v.reference like 'batch-%'
      and (
        v.product <> r.product
        or v.network <> r.network
        or v.face_value <> r.face_value
        or (v.plan_code is null and plan_kind_of(v.product, v.details) <> coalesce(r.plan_kind, plan_kind_of(v.product, null)))
        or (v.recipient <> r.recipient and v.recipient not like '%*%' and r.recipient not like '%*%')
      )`,
  },
  {
    name: 'batch-rows',
    over: 'moment',
    description: 'A batch has as many rows, duplicates and charges as it counts',
    differences: `
      select b.merchant_id, b.id as batch, b.row_count, r.row_count as rows, b.charge, r.charge as charges
      from ${recent} b
      join lateral (
        select count(*) as row_count, count(duplicate_of) as duplicates, coalesce(sum(charge), 0) as charge,
          coalesce(sum(face_value), 0) as face_value
        from batch_rows
        where merchant_id = b.merchant_id
        and batch_id = b.id
        offset 0
      ) r on true
      where (r.row_count, r.duplicates, r.charge, r.face_value) is distinct from (b.row_count, b.duplicates, b.charge, b.face_value)`,
  },
  {
    name: 'batch-handled',
    over: 'moment',
    description: 'Every row before the next one of a batch has its purchase or was refused',
    differences: `
      select b.merchant_id, b.id as batch, r.line
      from ${recent} b
      join lateral (
        select line
        from batch_rows
        where merchant_id = b.merchant_id
        and batch_id = b.id
        and refused_with is null
        and (line < b.next_line or b.state = 'done')
        offset 0
      ) r on true
      left join lateral (
        select id
        from purchases
        where merchant_id = b.merchant_id
        and environment = b.environment
        and reference = 'batch-' || b.hash || '-' || r.line
        offset 0
      ) v on true
      where v.id is null`,
  },
];
