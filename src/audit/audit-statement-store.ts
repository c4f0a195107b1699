/**
 * Checks of statements: the opening balance of a statement is the sum of the transfers before it.
 * Marks are checked in their order: each is the mark before it and the transfers between the two,
 * which never change.
 */
import type { Sql } from '../db/database.ts';
import type { AuditCheck } from './audit-store.ts';

/** A position in the order of marks. */
export type MarkPlace = { readonly walletId: bigint; readonly transferId: bigint };

export const firstMarkPlace: MarkPlace = { walletId: 0n, transferId: 0n };

/** Finds where a slice of some marks ends; undefined at the end. */
export async function findMarkBound(
  sql: Sql,
  above: MarkPlace,
  marks: number,
): Promise<MarkPlace | undefined> {
  const [row] = await sql.query<MarkPlace>(
    `select wallet_id as "walletId", transfer_id as "transferId"
     from statement_marks
     where (wallet_id, transfer_id) > ($1, $2)
     order by wallet_id, transfer_id
     offset $3
     limit 1`,
    [above.walletId, above.transferId, marks],
  );
  return row;
}

/** Returns the marks of a slice, as `checked_marks`. */
export function markSlice(
  above: MarkPlace,
  upTo: MarkPlace | undefined,
): {
  readonly tables: readonly string[];
  readonly values: readonly unknown[];
} {
  const end = upTo === undefined ? '' : 'and (wallet_id, transfer_id) <= ($3, $4)';
  return {
    tables: [
      `checked_marks as materialized (
         select wallet_id, transfer_id, balance, last_id
         from statement_marks
         where (wallet_id, transfer_id) > ($1, $2)
         ${end}
       )`,
    ],
    values: [
      above.walletId,
      above.transferId,
      ...(upTo === undefined ? [] : [upTo.walletId, upTo.transferId]),
    ],
  };
}

export const statementChecks: readonly AuditCheck[] = [
  {
    name: 'statement-marks',
    over: 'marks',
    description:
      'A mark in the history of a wallet is the sum of its transfers up to there, and names the last',
    differences: `
      select a.code as account, k.transfer_id, k.balance as marked, coalesce(p.balance, 0) + m.moved as transfers, k.last_id, m.last
      from checked_marks k
      join wallet_owners w on w.account_id = k.wallet_id
      left join accounts a on a.id = k.wallet_id
      left join lateral (
        select s.transfer_id, s.balance, s.last_id
        from statement_marks s
        where s.wallet_id = k.wallet_id
        and s.transfer_id < k.transfer_id
        order by s.transfer_id desc
        limit 1
      ) p on true
      cross join lateral (
        select coalesce(sum(case t.credit_account_id when k.wallet_id then t.amount else -t.amount end), 0) as moved, max(t.id) as last
        from transfers t
        where t.merchant_id = w.merchant_id
        and t.id > coalesce(p.transfer_id, 0)
        and t.id <= k.transfer_id
        and k.wallet_id in (t.debit_account_id, t.credit_account_id)
      ) m
      where k.balance <> coalesce(p.balance, 0) + m.moved
      or k.last_id <> coalesce(m.last, case when p.transfer_id is null then 0 else p.last_id end)`,
  },
];
