/** SQL of the books: sums by day, code and accounts, or single transfers. */

import type { Environment } from '../../core/environment.ts';
import type { Currency } from '../../core/money.ts';
import type { Sql } from '../../db/database.ts';
import type { Days } from './report-store.ts';

type Sides = {
  readonly debit_code: string;
  readonly debit_kind: string;
  readonly debit_merchant: string | null;
  readonly credit_code: string;
  readonly credit_kind: string;
  readonly credit_merchant: string | null;
};

export type Movement = Sides & {
  readonly day: string;
  readonly code: string;
  readonly currency: Currency;
  readonly count: bigint;
  readonly amount: bigint;
  readonly debit_account_id: bigint;
  readonly credit_account_id: bigint;
};

const sideColumns = `d.code as debit_code, d.kind as debit_kind, dm.code as debit_merchant,
       c.code as credit_code, c.kind as credit_kind, cm.code as credit_merchant, d.currency`;

function sideJoins(of: string): string {
  return `join accounts d on d.id = ${of}.debit_account_id
     join accounts c on c.id = ${of}.credit_account_id
     left join merchants dm on dm.id = d.merchant_id
     left join merchants cm on cm.id = c.merchant_id`;
}

/** The key of the last row of a page. */
export type MovementPlace = readonly [day: string, code: string, debit: string, credit: string];

/** Lists the sums of movements, by day and code. */
export async function listMovements(
  sql: Sql,
  { environment, from, to }: Days,
  page: { readonly after: MovementPlace | undefined; readonly limit: number },
): Promise<Movement[]> {
  const [day, code, debit, credit] = page.after ?? ['-infinity', '', '0', '0'];
  return await sql.query<Movement>(
    `select l.day::text as day, l.code, l.count, l.amount, l.debit_account_id, l.credit_account_id, ${sideColumns}
     from (
       select *
       from report_ledger
       where environment = $1
       and day between $2::date and $3::date
       and (day, code, debit_account_id, credit_account_id) > ($4::date, $5, $6::bigint, $7::bigint)
       order by environment, day, code, debit_account_id, credit_account_id
       limit $8
     ) as l
     ${sideJoins('l')}
     order by l.day, l.code, l.debit_account_id, l.credit_account_id`,
    [environment, from, to, day, code, debit, credit, page.limit],
  );
}

export type BookedTransfer = Sides & {
  readonly id: bigint;
  readonly day: string;
  readonly at: Date;
  /** `at` as stored, with microseconds. */
  readonly exact_at: string;
  readonly code: string;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly subject_id: string;
  readonly memo: string | null;
};

/** A position in the order of time, and the end of a span. */
export type TransferWindow = {
  readonly after: { readonly at: string; readonly id: bigint };
  readonly until: Date;
};

/** Lists transfers in the order of their times. */
export async function listBookedTransfers(
  sql: Sql,
  environment: Environment,
  { after, until }: TransferWindow,
  limit: number,
): Promise<BookedTransfer[]> {
  return await sql.query<BookedTransfer>(
    `select t.id, lagos_day(t.created_at)::text as day, t.created_at as at, t.created_at::text as exact_at, t.code, t.amount,
       t.subject_id, t.memo, ${sideColumns}
     from transfers t
     ${sideJoins('t')}
     where t.created_at >= $2::timestamptz
     and t.created_at < $4
     and (t.created_at, t.id) > ($2::timestamptz, $3::bigint)
     and d.environment = $1
     order by t.created_at, t.id
     limit $5`,
    [environment, after.at, after.id, until, limit],
  );
}
