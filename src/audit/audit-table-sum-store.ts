/**
 * Sums of the tables that an audit reads whole, in slices: bank deposits, deposits in suspense, and
 * the value of vouchers, as the cut saw them (`audit-sum-store.ts`).
 *
 * Guarantees: a slice that is read after the cut adds the state at the cut. Deposits and their
 * assignments never change. A voucher changes once, when it is cancelled, and a redemption once,
 * when it is returned: if one has changed since, its first transfer says whether it existed at the
 * cut.
 */
import type { Sql } from '../db/database.ts';
import type { Slice } from './audit-slice-store.ts';
import { type Cut, seenBy } from './audit-sum-store.ts';

/** By the code of the account, in minor units. */
type ByAccount = Map<string, bigint>;

export type TableSums = {
  readonly banks: ByAccount;
  readonly suspense: ByAccount;
  readonly vouchers: ByAccount;
};

export function noTableSums(): TableSums {
  return { banks: new Map(), suspense: new Map(), vouchers: new Map() };
}

export async function addDeposits(sql: Sql, cut: Cut, slice: Slice, sums: TableSums): Promise<void> {
  const seen = seenBy(slice.values.length + 1);
  const rows = await sql.query<{ bank: string; suspense: string; gross: bigint; suspended: bigint }>(
    `with ${slice.tables.join(',\n')}
     select
       'bank:' || d.provider || ':' || d.environment || ':' || d.currency as bank,
       'suspense:' || d.environment || ':' || d.currency as suspense,
       sum(d.gross)::bigint as gross,
       coalesce(sum(d.gross) filter (where d.merchant_id is null and x.deposit_id is null), 0)::bigint as suspended
     from deposits d
     left join lateral (
       select x.deposit_id
       from deposit_assignments x
       where d.merchant_id is null
       and x.deposit_id = d.id
       and ${seen('x.assigned_at', 'x.xmin')}
       offset 0
     ) x on true
     where ${seen('d.created_at', 'd.inserted_by')}
     group by 1, 2`,
    [...slice.values, cut.at, cut.snapshot],
  );
  for (const { bank, suspense, gross, suspended } of rows) {
    add(sums.banks, bank, gross);
    add(sums.suspense, suspense, suspended);
  }
}

/** Adds the value of vouchers that are not cancelled. */
export async function addVouchers(sql: Sql, cut: Cut, slice: Slice, sums: TableSums): Promise<void> {
  const seen = seenBy(slice.values.length + 1);
  const rows = await sql.query<{ account: string; value: bigint }>(
    `with ${slice.tables.join(',\n')}
     select ${accountOf('u')} as account, sum(u.value)::bigint as value
     from vouchers u
     where case
       when ${seen('coalesce(u.cancelled_at, u.issued_at)', 'u.inserted_by')} then u.cancelled_at is null
       -- Cancelled after the cut, and perhaps issued after it too.
       else u.cancelled_at is not null and ${hasMoved(seen, 'u', 'u.issue_id', 'voucher_issue')}
     end
     group by 1`,
    [...slice.values, cut.at, cut.snapshot],
  );
  for (const { account, value } of rows) add(sums.vouchers, account, value);
}

/**
 * Subtracts the amounts that orders took from vouchers: the charge of a pending order, and the
 * whole value for any other order.
 */
export async function addRedemptions(sql: Sql, cut: Cut, slice: Slice, sums: TableSums): Promise<void> {
  const seen = seenBy(slice.values.length + 1);
  const rows = await sql.query<{ account: string; taken: bigint }>(
    `with ${slice.tables.join(',\n')}
     select ${accountOf('u')} as account, sum(case when o.ended then u.value else v.charge end)::bigint as taken
     from voucher_redemptions r
     cross join lateral (
       select environment, value
       from vouchers
       where merchant_id = r.merchant_id
       and id = r.voucher_id
       and (cancelled_at is null or not ${seen('cancelled_at', 'xmin')})
       offset 0
     ) u
     -- The rest of a pending order's voucher is not yet the wallet's.
     cross join lateral (
       select exists (
         select
         from purchase_outcomes
         where merchant_id = r.merchant_id
         and purchase_id = r.purchase_id
         and ${seen('at', 'xmin')}
       ) as ended
       offset 0
     ) o
     left join lateral (
       select charge
       from purchases
       where merchant_id = r.merchant_id
       and environment = any(array['live', 'test'])
       and id = r.purchase_id
       offset 0
     ) v on true
     where case
       when ${seen('coalesce(r.returned_at, r.at)', 'r.inserted_by')} then r.returned_at is null
       -- Returned after the cut, and perhaps redeemed after it too.
       else r.returned_at is not null and ${hasMoved(seen, 'r', 'r.redeem_id', 'voucher_redeem')}
     end
     group by 1`,
    [...slice.values, cut.at, cut.snapshot],
  );
  for (const { account, taken } of rows) add(sums.vouchers, account, -taken);
}

function accountOf(voucher: string): string {
  return `'vouchers:' || ${voucher}.environment || ':NGN'`;
}

function hasMoved(seen: ReturnType<typeof seenBy>, table: string, subject: string, code: string): string {
  return `exists (
         select
         from transfers t
         where t.merchant_id = ${table}.merchant_id
         and t.subject_id = ${subject}
         and t.code = '${code}'
         and ${seen('t.created_at', 't.xmin')}
       )`;
}

function add(sums: ByAccount, account: string, amount: bigint): void {
  sums.set(account, (sums.get(account) ?? 0n) + amount);
}
