/**
 * The audit of statements: the balance that a statement begins at is the sum of the transfers
 * before it.
 */
import type { AuditCheck } from './audit-store.ts';

export const statementChecks: readonly AuditCheck[] = [
  {
    name: 'statement-marks',
    description: 'A mark in the history of a wallet is the sum of its transfers up to there',
    // Each mark is sorted among the transfers, after the last one that it counts. One pass adds up
    // all of them.
    differences: `
      select a.code as account, r.transfer_id, r.marked, r.transfers
      from (
        select
          p.account_id,
          p.transfer_id,
          p.marked,
          coalesce(sum(p.delta) over (partition by p.account_id order by p.transfer_id, p.rank), 0) as transfers
        from (
          select t.credit_account_id as account_id, t.id as transfer_id, 0 as rank, t.amount as delta, null::bigint as marked
          from transfers t
          where t.credit_account_id in (select wallet_id from statement_marks)
          union all
          select t.debit_account_id, t.id, 0, -t.amount, null
          from transfers t
          where t.debit_account_id in (select wallet_id from statement_marks)
          union all
          select wallet_id, transfer_id, 1, 0, balance
          from statement_marks
        ) p
      ) r
      left join accounts a on a.id = r.account_id
      where r.marked <> r.transfers`,
  },
];
