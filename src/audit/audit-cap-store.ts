/** The audit of spend caps: what counts against a cap was bought, and the sums are right. */
import type { AuditCheck } from './audit-store.ts';

export const capChecks: readonly AuditCheck[] = [
  {
    name: 'capped-vends',
    over: 'slice',
    description:
      'What counts against a cap is the charge of a vend of that credential that has not failed and no voucher paid',
    differences: `
      select k.merchant_id, k.vend_id as vend, k.key_id, k.amount, v.charge, v.credential_id, o.status
      from capped_vends k
      left join vends v
        on v.merchant_id = k.merchant_id
        and v.id = k.vend_id
      left join credentials c on c.key_id = v.credential_id
      left join vend_outcomes o
        on o.merchant_id = k.merchant_id
        and o.vend_id = k.vend_id
      where (
        v.charge = k.amount
        and coalesce(c.spends_as, c.key_id) = k.key_id
        and coalesce(o.status, '') <> 'failed'
        and coalesce(v.details, '{}')->'voucher' is null
      ) is not true`,
  },
  {
    name: 'credential-spending',
    over: 'moment',
    description: "A credential's spending of a day is the sum of what counts against its caps on that day",
    differences: `
      select
        coalesce(s.merchant_id, k.merchant_id) as merchant_id,
        coalesce(s.key_id, k.key_id) as key_id,
        coalesce(s.day, k.day) as day,
        coalesce(s.spent, 0) as spent,
        coalesce(k.amount, 0) as vends
      from credential_spending s
      full join (
        select merchant_id, key_id, day, sum(amount) as amount
        from capped_vends
        group by merchant_id, key_id, day
      ) k
        on k.merchant_id = s.merchant_id
        and k.key_id = s.key_id
        and k.day = s.day
      where coalesce(s.spent, 0) <> coalesce(k.amount, 0)`,
  },
];
