/**
 * The audit of refunds: each is of a success, moved its money the way its kind says, and of no
 * purchase was more given back than was paid.
 */
import type { AuditCheck } from './audit-store.ts';

export const refundChecks: readonly AuditCheck[] = [
  {
    name: 'refunds',
    over: 'slice',
    description:
      'A refund is of a success, of its environment, and its transfer went from revenue to the wallet, or from the float to revenue',
    differences: `
      select r.merchant_id, r.vend_id as vend, r.refund_id as refund, r.kind, r.amount, o.status, t.amount as moved
      from vend_refunds r
      left join vends v
        on v.merchant_id = r.merchant_id
        and v.environment = r.environment
        and v.id = r.vend_id
      left join vend_outcomes o
        on o.merchant_id = r.merchant_id
        and o.vend_id = r.vend_id
      -- By its key: subjects are not in the order of vends.
      left join lateral (
        select t.amount, t.debit_account_id, t.credit_account_id, d.code as debit, c.code as credit
        from all_transfers t
        join accounts d on d.id = t.debit_account_id
        join accounts c on c.id = t.credit_account_id
        where t.merchant_id = r.merchant_id
        and t.subject_id = r.refund_id
        and t.code = case r.kind when 'merchant' then 'refund' else 'provider_refund' end
        -- Never joined as a whole.
        offset 0
      ) t on true
      where (
        o.status = 'success'
        and t.amount = r.amount
        and case r.kind
          when 'merchant' then
            t.credit_account_id = v.wallet_id
            and t.debit = 'revenue:' || v.environment || ':NGN'
          else
            t.credit = 'revenue:' || v.environment || ':NGN'
            and t.debit = 'float:' || o.provider || ':' || v.environment || ':NGN'
        end
      ) is not true`,
  },
  {
    name: 'refund-limits',
    over: 'slice',
    description:
      'No merchant got back more than the charge of a purchase, and no provider gave more than its cost',
    differences: `
      select r.merchant_id, r.vend_id as vend, v.charge, r.to_merchant, o.cost, r.from_provider
      from (
        select
          merchant_id,
          vend_id,
          coalesce(sum(amount) filter (where kind = 'merchant'), 0) as to_merchant,
          coalesce(sum(amount) filter (where kind = 'provider'), 0) as from_provider
        from vend_refunds
        group by merchant_id, vend_id
      ) r
      left join vends v
        on v.merchant_id = r.merchant_id
        and v.id = r.vend_id
      left join vend_outcomes o
        on o.merchant_id = r.merchant_id
        and o.vend_id = r.vend_id
      where r.to_merchant > coalesce(v.charge, 0)
      or r.from_provider > coalesce(o.cost, 0)`,
  },
];
