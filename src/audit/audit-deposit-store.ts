/**
 * Checks of deposits: each came in once, moved its amount, and is assigned to a merchant or in
 * suspense.
 */
import type { AuditCheck } from './audit-store.ts';

/** Deposits with their owner, fee and transfers, whatever account the transfers were posted to. */
const booked = `
  select
    d.id,
    d.provider,
    d.environment,
    d.currency,
    coalesce(d.merchant_id, x.merchant_id) as owner,
    d.gross,
    coalesce(x.fee, d.fee) as fee,
    t.gross as gross_moved,
    t.fee as fee_moved,
    t.net as net_moved,
    t.well_placed
  from deposits d
  left join deposit_assignments x on x.deposit_id = d.id
  left join lateral (
    select
      coalesce(sum(m.amount) filter (where m.code = 'deposit_gross'), 0) as gross,
      coalesce(sum(m.amount) filter (where m.code = 'deposit_fee'), 0) as fee,
      coalesce(sum(m.amount) filter (where m.code = 'deposit_net'), 0) as net,
      bool_and(
        case m.code
          when 'deposit_gross' then da.kind = 'bank' and ca.kind = 'suspense'
          when 'deposit_fee' then da.kind = 'suspense' and ca.kind = 'deposit-fees'
          else da.kind = 'suspense' and ca.kind = 'wallet' and ca.merchant_id = m.merchant_id
        end
      ) as well_placed
    from transfers m
    left join accounts da on da.id = m.debit_account_id
    left join accounts ca on ca.id = m.credit_account_id
    -- By the key of transfers. The check deposit-owner finds those of another merchant.
    where m.merchant_id = any(array[0, d.merchant_id, x.merchant_id])
    and m.subject_id = d.id
    and m.code in ('deposit_gross', 'deposit_fee', 'deposit_net')
  ) t on true`;

export const depositChecks: readonly AuditCheck[] = [
  {
    name: 'deposit-transfers',
    over: 'deposits',
    description:
      'A deposit moved its gross into suspense and, once it has an owner, its fee and the rest out of it',
    differences: `
      select b.id as deposit, b.owner, b.gross, b.fee, b.gross_moved, b.fee_moved, b.net_moved
      from (${booked}) b
      where b.gross_moved is distinct from b.gross
      or b.fee_moved is distinct from case when b.owner is null then 0 else b.fee end
      or b.net_moved is distinct from case when b.owner is null then 0 else b.gross - b.fee end
      or b.well_placed is not true`,
  },
  {
    name: 'deposit-owner',
    over: 'slice',
    description: "A deposit's transfers are of the merchant that it was credited to, and of its environment",
    differences: `
      select t.subject_id as deposit, t.code, t.merchant_id, d.merchant_id as credited, x.merchant_id as assigned
      from transfers t
      join deposits d on d.id = t.subject_id
      left join deposit_assignments x on x.deposit_id = d.id
      left join accounts a on a.id = t.debit_account_id
      where t.code in ('deposit_gross', 'deposit_fee', 'deposit_net')
      and (
        t.merchant_id is distinct from case t.code
          when 'deposit_gross' then coalesce(d.merchant_id, 0)
          else coalesce(d.merchant_id, x.merchant_id)
        end
        or a.environment is distinct from d.environment
        or a.currency is distinct from d.currency
        or (d.merchant_id is not null and x.merchant_id is not null)
      )`,
  },
  {
    name: 'bank-balance',
    over: 'sums',
    description: "The balance of a bank account is what came in there: the gross of its provider's deposits",
    differences: `
      select a.code as account, coalesce(m.debited, 0) as transfers, coalesce(d.gross, 0) as deposits
      from accounts a
      left join moved m on m.account_id = a.id
      left join banks_then d on d.code = a.code
      where a.kind = 'bank'
      and coalesce(m.debited, 0) <> coalesce(d.gross, 0)`,
  },
  {
    name: 'suspense-balance',
    over: 'sums',
    description: 'The suspense account holds the gross amount of all unassigned deposits',
    differences: `
      select a.code as account, coalesce(m.moved, 0) as transfers, coalesce(d.gross, 0) as deposits
      from accounts a
      left join moved m on m.account_id = a.id
      left join suspense_then d on d.code = a.code
      where a.kind = 'suspense'
      and coalesce(m.moved, 0) <> coalesce(d.gross, 0)`,
  },
  {
    name: 'notice-settled',
    over: 'notices',
    description: 'A notice that is settled as deposited has its deposit',
    differences: `
      select n.provider, n.reference, n.outcome
      from bank_notices n
      where n.outcome = 'deposited'
      and not (
        select exists (
          select 1
          from deposits d
          where d.provider = n.provider
          and d.provider_reference = n.reference
          offset 0
        )
      )`,
  },
  {
    name: 'funding-wallet',
    over: 'moment',
    at: 'coordinator',
    description: "A funding account pays into its merchant's own wallet, of its environment and currency",
    differences: `
      select f.provider, f.reference, f.merchant_id, f.environment, f.currency, f.wallet_id
      from funding_accounts f
      left join wallet_owners w on w.account_id = f.wallet_id
      where (w.merchant_id = f.merchant_id and w.environment = f.environment and w.currency = f.currency) is not true`,
  },
];
