/**
 * Checks of refunds: each is of a success and moved its money as its kind requires, and no purchase
 * was refunded more than was paid.
 */
import type { AuditCheck } from './audit-store.ts';

export const refundChecks: readonly AuditCheck[] = [
  {
    name: 'refunds',
    over: 'slice',
    description:
      'A refund is of a success, of its environment, and its transfer went from revenue to the wallet, or from the float to revenue',
    differences: `
      select r.merchant_id, r.purchase_id as purchase, r.refund_id as refund, r.kind, r.amount, o.status, t.amount as moved
      from purchase_refunds r
      left join purchases v
        on v.merchant_id = r.merchant_id
        and v.environment = r.environment
        and v.id = r.purchase_id
      left join purchase_outcomes o
        on o.merchant_id = r.merchant_id
        and o.purchase_id = r.purchase_id
      -- By key: subjects are not in the order of purchases.
      left join lateral (
        select t.amount, t.debit_account_id, t.credit_account_id, d.code as debit, c.code as credit
        from all_transfers t
        join accounts d on d.id = t.debit_account_id
        join accounts c on c.id = t.credit_account_id
        where t.merchant_id = r.merchant_id
        and t.subject_id = r.refund_id
        and t.code = case r.kind when 'merchant' then 'refund' else 'provider_refund' end
        -- Prevents a join with the whole table.
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
      'No merchant was refunded more than the charge of a purchase, and no provider refunded more than its cost',
    differences: `
      select r.merchant_id, r.purchase_id as purchase, v.charge, r.to_merchant, o.cost, r.from_provider
      from (
        select
          merchant_id,
          purchase_id,
          coalesce(sum(amount) filter (where kind = 'merchant'), 0) as to_merchant,
          coalesce(sum(amount) filter (where kind = 'provider'), 0) as from_provider
        from purchase_refunds
        group by merchant_id, purchase_id
      ) r
      left join purchases v
        on v.merchant_id = r.merchant_id
        and v.id = r.purchase_id
      left join purchase_outcomes o
        on o.merchant_id = r.merchant_id
        and o.purchase_id = r.purchase_id
      where r.to_merchant > coalesce(v.charge, 0)
      or r.from_provider > coalesce(o.cost, 0)`,
  },
];

export const capChecks: readonly AuditCheck[] = [
  {
    name: 'capped-purchases',
    over: 'slice',
    description:
      'Only the charge of a purchase of the credential that has not failed and was not paid by a voucher counts against a cap',
    differences: `
      select k.merchant_id, k.purchase_id as purchase, k.key_id, k.amount, v.charge, c.key_id as credential_id, o.status
      from capped_purchases k
      left join purchases v
        on v.merchant_id = k.merchant_id
        and v.id = k.purchase_id
      left join credentials c
        on c.merchant_id = v.merchant_id
        and c.id = v.credential_id
      left join purchase_outcomes o
        on o.merchant_id = k.merchant_id
        and o.purchase_id = k.purchase_id
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
    description: "A credential's spending on a day is the sum of what counts against its caps on that day",
    differences: `
      select
        coalesce(s.merchant_id, k.merchant_id) as merchant_id,
        coalesce(s.key_id, k.key_id) as key_id,
        coalesce(s.day, k.day) as day,
        coalesce(s.spent, 0) as spent,
        coalesce(k.amount, 0) as purchases
      from credential_spending s
      full join (
        select merchant_id, key_id, day, sum(amount) as amount
        from capped_purchases
        group by merchant_id, key_id, day
      ) k
        on k.merchant_id = s.merchant_id
        and k.key_id = s.key_id
        and k.day = s.day
      where coalesce(s.spent, 0) <> coalesce(k.amount, 0)`,
  },
];
