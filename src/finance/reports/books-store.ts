/** SQL of the books: sums by day, code and accounts. */
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
