/**
 * Checks of money: every balance is the sum of its transfers, holds add up to the held amounts of
 * wallets, and all balances add up to zero.
 */
import type { AuditCheck } from './audit-store.ts';

const houseByAccount = `
  select account_id, sum(balance) as balance
  from (
    select account_id, balance
    from house_balances
    union all
    select account_id, delta
    from house_deltas
  ) as parts
  group by account_id`;

export const moneyChecks: readonly AuditCheck[] = [
  {
    name: 'wallet-posted',
    over: 'sums',
    description: 'The posted balance of a wallet is the sum of its transfers',
    differences: `
      select a.code as account, w.posted, coalesce(m.moved, 0) as transfers
      from wallets_then w
      left join accounts a on a.id = w.account_id
      left join moved m on m.account_id = w.account_id
      where w.posted <> coalesce(m.moved, 0)`,
  },
  {
    name: 'wallet-held',
    over: 'moment',
    description: 'The amount held on a wallet is the sum of the charges of its pending purchases',
    differences: `
      select a.code as account, w.held, coalesce(p.charges, 0) as pending_charges
      from wallets w
      left join accounts a on a.id = w.account_id
      left join (
        select wallet_id, sum(charge) as charges
        from pending_purchases
        group by wallet_id
      ) p on p.wallet_id = w.account_id
      where w.held <> coalesce(p.charges, 0)`,
  },
  {
    name: 'wallet-floor',
    over: 'moment',
    description: 'No wallet is below its credit limit, and no hold is negative',
    differences: `
      select a.code as account, w.posted, w.held, w.floor
      from wallets w
      left join accounts a on a.id = w.account_id
      where w.posted - w.held < w.floor
      or w.held < 0`,
  },
  {
    name: 'house-balance',
    over: 'sums',
    description:
      'The balance of a house account (checkpoint and deltas) is the sum of its transfers; a wallet has none',
    differences: `
      select
        a.code as account,
        coalesce(h.balance, 0) as balance,
        case a.kind when 'wallet' then 0 else coalesce(m.moved, 0) end as transfers
      from accounts a
      left join house_then h on h.account_id = a.id
      left join moved m on m.account_id = a.id
      where coalesce(h.balance, 0) <> case a.kind when 'wallet' then 0 else coalesce(m.moved, 0) end`,
  },
  {
    name: 'books-balance',
    over: 'moment',
    at: 'coordinator',
    description: 'All accounts of a currency and environment add up to zero',
    differences: `
      select a.environment, a.currency, sum(b.balance) as balance
      from accounts a
      join (
        select account_id, posted as balance
        from wallets
        union all
        select account_id, balance
        from (${houseByAccount}) as house
      ) b on b.account_id = a.id
      group by a.environment, a.currency
      having sum(b.balance) <> 0`,
  },
  {
    name: 'transfer-accounts',
    over: 'slice',
    description:
      "A transfer's two accounts exist, are of one environment and currency, and are of no other merchant",
    differences: `
      select t.merchant_id, t.subject_id, t.code, d.code as debit, c.code as credit
      from transfers t
      left join accounts d on d.id = t.debit_account_id
      left join accounts c on c.id = t.credit_account_id
      where d.id is null
      or c.id is null
      or d.environment <> c.environment
      or d.currency <> c.currency
      or coalesce(d.merchant_id, t.merchant_id) <> t.merchant_id
      or coalesce(c.merchant_id, t.merchant_id) <> t.merchant_id`,
  },
  {
    name: 'transfer-subjects',
    over: 'slice',
    description:
      "A purchase's transfers have their purchase, of their environment; a correction's have the operator's act, a refund's their refund, a float's their movement, a deposit's their deposit, a voucher's their vouchers or redemption",
    differences: `
      select t.merchant_id, t.subject_id, t.code, t.amount
      from transfers t
      left join accounts d on d.id = t.debit_account_id
      left join purchases v
        on v.merchant_id = t.merchant_id
        and v.id = t.subject_id
      where t.code in ('purchase_cost', 'purchase_margin', 'purchase_loss')
      and (v.environment = d.environment) is not true
      union all
      select t.merchant_id, t.subject_id, t.code, t.amount
      from transfers t
      left join (
        select distinct subject
        from audit_log
        where subject like 'correction:%'
      ) l on l.subject = 'correction:' || t.subject_id
      where t.code = 'correction'
      and l.subject is null
      union all
      select t.merchant_id, t.subject_id, t.code, t.amount
      from transfers t
      left join all_refunds r
        on r.merchant_id = t.merchant_id
        and r.refund_id = t.subject_id
        and case r.kind when 'merchant' then 'refund' else 'provider_refund' end = t.code
      where t.code in ('refund', 'provider_refund')
      and r.refund_id is null
      union all
      select t.merchant_id, t.subject_id, t.code, t.amount
      from transfers t
      left join float_movements f
        on f.id = t.subject_id
        and 'float_' || f.kind = t.code
      where t.code in ('float_top_up', 'float_charge')
      and f.id is null
      union all
      select t.merchant_id, t.subject_id, t.code, t.amount
      from transfers t
      left join deposits p on p.id = t.subject_id
      where t.code in ('deposit_gross', 'deposit_fee', 'deposit_net')
      and p.id is null
      union all
      select t.merchant_id, t.subject_id, t.code, t.amount
      from transfers t
      left join (
        select merchant_id, issue_id as subject_id, 'voucher_issue' as code
        from vouchers
        union
        select merchant_id, id, 'voucher_cancel'
        from vouchers
        union all
        select merchant_id, redeem_id, 'voucher_redeem'
        from all_redemptions
        union all
        select merchant_id, settle_id, c.code
        from all_redemptions
        cross join (values ('voucher_return'), ('voucher_rest')) as c(code)
      ) u
        on u.merchant_id = t.merchant_id
        and u.subject_id = t.subject_id
        and u.code = t.code
      where t.code in ('voucher_issue', 'voucher_cancel', 'voucher_redeem', 'voucher_return', 'voucher_rest')
      and u.code is null
      union all
      select t.merchant_id, t.subject_id, t.code, t.amount
      from transfers t
      where t.code not in (
        'purchase_cost',
        'purchase_margin',
        'purchase_loss',
        'refund',
        'provider_refund',
        'correction',
        'float_top_up',
        'float_charge',
        'deposit_gross',
        'deposit_fee',
        'deposit_net',
        'voucher_issue',
        'voucher_cancel',
        'voucher_redeem',
        'voucher_return',
        'voucher_rest'
      )`,
  },
  {
    name: 'wallet-owner',
    over: 'moment',
    description: "A wallet's account is of its merchant, environment and currency",
    differences: `
      select w.account_id, a.code as account, w.merchant_id, w.environment, w.currency
      from wallets w
      left join accounts a on a.id = w.account_id
      where a.id is null
      or a.kind <> 'wallet'
      or a.merchant_id is distinct from w.merchant_id
      or a.environment <> w.environment
      or a.currency <> w.currency`,
  },
  {
    name: 'wallet-state',
    over: 'moment',
    description: 'Every wallet has a state, and every state its wallet',
    differences: `
      select coalesce(o.account_id, s.wallet_id) as account_id, o.account_id is not null as wallet, s.wallet_id is not null as state
      from wallet_owners o
      full join (
        -- Steps from one wallet to the next in the index, because a wallet has many states.
        with recursive stated as (
          select min(wallet_id) as wallet_id
          from wallet_states
          union all
          select (
            select min(n.wallet_id)
            from wallet_states n
            where n.wallet_id > stated.wallet_id
          )
          from stated
          where stated.wallet_id is not null
        )
        select wallet_id
        from stated
        where wallet_id is not null
      ) s on s.wallet_id = o.account_id
      where o.account_id is null
      or s.wallet_id is null`,
  },
  {
    name: 'success-paid',
    over: 'slice',
    description:
      'A successful purchase moved its charge from its wallet, its cost to a float, and the rest to revenue',
    differences: `
      select
        v.merchant_id,
        v.id as purchase,
        v.charge,
        o.cost,
        c.amount as purchase_cost,
        m.amount as purchase_margin,
        l.amount as purchase_loss
      from purchase_outcomes o
      join purchases v
        on v.merchant_id = o.merchant_id
        and v.id = o.purchase_id
      left join transfers c
        on c.merchant_id = v.merchant_id
        and c.subject_id = v.id
        and c.code = 'purchase_cost'
      left join transfers m
        on m.merchant_id = v.merchant_id
        and m.subject_id = v.id
        and m.code = 'purchase_margin'
      left join transfers l
        on l.merchant_id = v.merchant_id
        and l.subject_id = v.id
        and l.code = 'purchase_loss'
      left join accounts c_credit on c_credit.id = c.credit_account_id
      left join accounts m_credit on m_credit.id = m.credit_account_id
      left join accounts l_debit on l_debit.id = l.debit_account_id
      left join accounts l_credit on l_credit.id = l.credit_account_id
      where o.status = 'success'
      and (
        coalesce(c.amount, 0) + coalesce(m.amount, 0) <> v.charge
        or coalesce(c.amount, 0) + coalesce(l.amount, 0) is distinct from o.cost
        or (c.amount is not null and (c.debit_account_id = v.wallet_id and c_credit.kind = 'float') is not true)
        or (m.amount is not null and (m.debit_account_id = v.wallet_id and m_credit.kind = 'revenue') is not true)
        or (l.amount is not null and (l_debit.kind = 'revenue' and l_credit.kind = 'float') is not true)
      )`,
  },
  {
    name: 'unsuccessful-free',
    over: 'slice',
    description: 'A purchase that failed or is pending has no transfers',
    differences: `
      select v.merchant_id, v.id as purchase, coalesce(o.status, 'pending') as status, t.code, t.amount
      from transfers t
      join purchases v
        on v.merchant_id = t.merchant_id
        and v.id = t.subject_id
      left join purchase_outcomes o
        on o.merchant_id = t.merchant_id
        and o.purchase_id = t.subject_id
      where o.status is distinct from 'success'`,
  },
];
