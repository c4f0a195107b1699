/**
 * Checks of vouchers: each was paid for and pays at most one order, and the money owed to their
 * holders is there.
 */
import type { AuditCheck } from './audit-store.ts';

/**
 * Joins the transfer of a subject between a wallet of its merchant and the vouchers account, with
 * its direction. Looked up by key, because subjects are not in the order of purchases.
 */
function moved(name: string, transfers: string, merchant: string, subject: string, code: string): string {
  return `left join lateral (
        select
          t.amount,
          d.environment,
          case
            when d.kind = 'wallet' and d.merchant_id = t.merchant_id and c.kind = 'vouchers' then 'off the wallet'
            when d.kind = 'vouchers' and c.kind = 'wallet' and c.merchant_id = t.merchant_id then 'onto the wallet'
          end as way
        from ${transfers} t
        join accounts d on d.id = t.debit_account_id
        join accounts c on c.id = t.credit_account_id
        where t.merchant_id = ${merchant}
        and t.subject_id = ${subject}
        and t.code = '${code}'
        -- Never joined as a whole.
        offset 0
      ) ${name} on true`;
}

export const voucherChecks: readonly AuditCheck[] = [
  {
    name: 'voucher-issues',
    over: 'vouchers',
    description: "Vouchers took their value from their merchant's wallet, and a cancelled one gave it back",
    differences: `
      select i.merchant_id, i.issue_id as subject, 'voucher_issue' as code, i.value, m.amount as moved
      from (
        select merchant_id, environment, issue_id, sum(value) as value
        from vouchers
        group by merchant_id, environment, issue_id
      ) i
      ${moved('m', 'transfers', 'i.merchant_id', 'i.issue_id', 'voucher_issue')}
      where (m.amount = i.value and m.environment = i.environment and m.way = 'off the wallet') is not true
      union all
      select u.merchant_id, u.id, 'voucher_cancel', u.value, m.amount
      from vouchers u
      ${moved('m', 'transfers', 'u.merchant_id', 'u.id', 'voucher_cancel')}
      where case
        when u.cancelled_at is null then m.amount is null
        else m.amount = u.value and m.environment = u.environment and m.way = 'onto the wallet'
      end is not true`,
  },
  {
    name: 'voucher-redemptions',
    over: 'slice',
    description:
      'A voucher paid the charge of the order that has it; a failed order gave it back, and the rest of its value went to the wallet after a success',
    differences: `
      select
        r.merchant_id,
        r.purchase_id as purchase,
        r.voucher_id as voucher,
        coalesce(o.status, 'pending') as status,
        u.value,
        v.charge,
        p.amount as redeemed,
        b.amount as returned,
        e.amount as rest
      from voucher_redemptions r
      left join vouchers u
        on u.merchant_id = r.merchant_id
        and u.id = r.voucher_id
      left join purchases v
        on v.merchant_id = r.merchant_id
        and v.id = r.purchase_id
      left join purchase_outcomes o
        on o.merchant_id = r.merchant_id
        and o.purchase_id = r.purchase_id
      ${moved('p', 'all_transfers', 'r.merchant_id', 'r.redeem_id', 'voucher_redeem')}
      ${moved('b', 'all_transfers', 'r.merchant_id', 'r.settle_id', 'voucher_return')}
      ${moved('e', 'all_transfers', 'r.merchant_id', 'r.settle_id', 'voucher_rest')}
      where (
        v.environment = u.environment
        and v.details->'voucher'->>'id' = r.voucher_id::text
        and p.amount = v.charge
        and p.way = 'onto the wallet'
        and p.environment = v.environment
        and coalesce(b.way, 'off the wallet') = 'off the wallet'
        and coalesce(e.way, 'onto the wallet') = 'onto the wallet'
        and coalesce(b.amount, 0) = case o.status when 'failed' then v.charge else 0 end
        and coalesce(e.amount, 0) = case o.status when 'success' then u.value - v.charge else 0 end
        and (r.returned_at is not null) = (coalesce(o.status, '') = 'failed')
        and (u.cancelled_at is null or r.returned_at is not null)
      ) is not true
      union all
      select v.merchant_id, v.id, (v.details->'voucher'->>'id')::uuid, 'unpaid', null, v.charge, null, null, null
      from purchases v
      left join voucher_redemptions r
        on r.merchant_id = v.merchant_id
        and r.purchase_id = v.id
      where v.mode = 'order'
      and v.details->'voucher' is not null
      and r.purchase_id is null`,
  },
  {
    name: 'voucher-once',
    over: 'vouchers',
    description: 'No voucher pays two orders',
    differences: `
      select u.merchant_id, u.id as voucher, r.orders
      from vouchers u
      cross join lateral (
        select count(*) as orders
        from voucher_redemptions
        where merchant_id = u.merchant_id
        and voucher_id = u.id
        and returned_at is null
      ) r
      where r.orders > 1`,
  },
  {
    name: 'voucher-balance',
    over: 'sums',
    description:
      'The balance of the vouchers account is the value of open vouchers and the rest of those that pay pending orders',
    differences: `
      select a.code as account, coalesce(m.moved, 0) as transfers, coalesce(w.value, 0) as vouchers
      from accounts a
      left join moved m on m.account_id = a.id
      left join vouchers_then w on w.code = a.code
      where a.kind = 'vouchers'
      and coalesce(m.moved, 0) <> coalesce(w.value, 0)`,
  },
];

export const floatChecks: readonly AuditCheck[] = [
  {
    name: 'float-movements',
    over: 'moment',
    at: 'coordinator',
    description:
      "A top-up moved its amount onto its provider's float, from capital or a bank; a charge moved it off, to provider charges; the operator's act is in the audit log",
    differences: `
      select m.id as movement, m.provider, m.environment, m.kind, m.amount, t.amount as moved, t.debit, t.credit
      from float_movements m
      left join accounts o on o.id = m.other_account_id
      left join lateral (
        select t.amount, d.code as debit, c.code as credit
        from transfers t
        join accounts d on d.id = t.debit_account_id
        join accounts c on c.id = t.credit_account_id
        where t.merchant_id = 0
        and t.subject_id = m.id
        and t.code = 'float_' || m.kind
        -- Never joined as a whole.
        offset 0
      ) t on true
      left join lateral (
        select true as is_there
        from audit_log l
        where l.subject = 'float:' || m.provider
        and l.after ->> 'movement' = m.id::text
        limit 1
        offset 0
      ) l on true
      where (
        t.amount = m.amount
        and l.is_there
        and case m.kind
          when 'top_up' then
            t.debit = 'float:' || m.provider || ':' || m.environment || ':NGN'
            and t.credit = o.code
            and o.kind in ('capital', 'bank')
          else
            t.credit = 'float:' || m.provider || ':' || m.environment || ':NGN'
            and t.debit = o.code
            and o.kind = 'provider-charges'
        end
      ) is not true`,
  },
];
