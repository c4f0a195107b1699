/**
 * Runs a check of the audit. A check is an SQL statement whose rows are differences: a few are
 * fetched, and all are counted.
 */
import { createHash } from 'node:crypto';
import type { Row, Sql } from '../db/database.ts';
import type { Slice } from './audit-slice-store.ts';
import type { Cut, Sums } from './audit-sum-store.ts';
import type { TableSums } from './audit-table-sum-store.ts';

/**
 * An SQL statement that returns one row for each difference: the expected value, the actual value,
 * and the item concerned. It returns no rows if everything is correct.
 */
export type AuditCheck = {
  readonly name: string;
  /** What must be true. */
  readonly description: string;
  /**
   * The rows that the statement reads. `slice`: a part of the tables of purchases (`slicedTables`)
   * with every row of each purchase; the check runs once for each part. `purchase references`,
   * `attempt references`: a part of the table in the order of references. `deposits`, `notices`,
   * `vouchers`: a part of that table, with all vouchers of an issue; other tables only by key.
   * `marks`: some marks, as `checked_marks`. `moment`: the whole database at one moment; the check
   * must not scan what grows with the history. `sums`: the sums of all slices as of one moment, and
   * the balances of that moment (`audit-sum-store.ts`). `audit links`, `audit entries`: a part of
   * the audit log's chain, and of its entries by id (`audit-chain-store.ts`). `closed day`: one
   * closed day, as `checked_day`, and what its transfers moved, as `day_moved`
   * (`audit-closed-day-store.ts`).
   */
  readonly over:
    | 'slice'
    | 'purchase references'
    | 'attempt references'
    | 'deposits'
    | 'notices'
    | 'vouchers'
    | 'marks'
    | 'moment'
    | 'sums'
    | 'audit links'
    | 'audit entries'
    | 'closed day';
  /**
   * Where it runs if the cells are on other servers: `cells`, by default, in each; `coordinator`
   * with rows of all cells (`audit-collect-store.ts`).
   */
  readonly at?: 'coordinator';
  readonly differences: string;
};

export type Differences = { readonly count: number; readonly listed: readonly Row[] };

/** Gives PostgreSQL memory for joins and sums over a slice. */
export async function prepareAudit(sql: Sql): Promise<void> {
  // The joins are large. Before their first analyze PostgreSQL takes tables for small and chooses
  // nested loops.
  await sql.query(`
    set local work_mem = '64MB';
    set local jit = off;
    set local enable_nestloop = off;
    set local enable_mergejoin = off`);
}

export async function findDifferences(
  sql: Sql,
  check: AuditCheck,
  listedMax: number,
  seen: Slice | undefined = undefined,
): Promise<Differences> {
  const given = seen ?? { tables: [], values: [] };
  const limit = given.values.length + 1;
  // Materialized, because otherwise PostgreSQL plans for the first rows of the limit, and a correct
  // database has none.
  const text = `
    with ${[...given.tables, `difference as materialized (${check.differences})`].join(',\n')}
    select d.*, (select count(*) from difference) as differences_total
    from difference d
    limit $${limit}`;
  const rows = await sql.query<Row & { differences_total: bigint }>({ name: nameOf(text), text }, [
    ...given.values,
    listedMax,
  ]);
  return {
    count: Number(rows[0]?.differences_total ?? 0n),
    listed: rows.map(({ differences_total: _, ...row }) => row),
  };
}

/**
 * Names the statement, so that it is planned once for all slices. Planning takes longer than
 * running it on a small slice.
 */
function nameOf(text: string): string {
  return `audit_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

/** Returns the data of a check over sums: the balances at the cut, and the sums up to it. */
export function sumsSeen(cut: Cut, sums: Sums, { banks, suspense, vouchers }: TableSums): Slice {
  const moved = [...sums.moved].map(([account_id, { moved, debited }]) => ({
    account_id: String(account_id),
    moved: String(moved),
    debited: String(debited),
  }));
  return {
    tables: [
      'wallets_then as (select * from json_to_recordset($1) as t(account_id bigint, posted bigint))',
      `house_then as (
         select account_id, sum(balance) as balance
         from json_to_recordset($2) as t(account_id bigint, balance numeric)
         group by account_id
       )`,
      'banks_then as (select * from json_to_recordset($3) as t(code text, gross numeric))',
      'suspense_then as (select * from json_to_recordset($4) as t(code text, gross numeric))',
      'vouchers_then as (select * from json_to_recordset($5) as t(code text, value numeric))',
      `counts_then as (
         select *
         from json_to_recordset($6) as t(merchant_id integer, environment text, network text, status text, count numeric)
       )`,
      'moved as (select * from json_to_recordset($7) as t(account_id bigint, moved numeric, debited numeric))',
      `purchases_then as (
         select *
         from json_to_recordset($8) as t(merchant_id integer, environment text, network text, status text, purchases numeric)
       )`,
      `pending_then as (
         select *
         from json_to_recordset($9) as t(merchant_id integer, environment text, purchases numeric)
       )`,
    ],
    values: [
      ...[cut.wallets, cut.house, byCode(banks, 'gross'), byCode(suspense, 'gross')],
      ...[byCode(vouchers, 'value'), cut.counts],
      JSON.stringify(moved),
      JSON.stringify(
        [...sums.purchases].map(([key, purchases]) => ({ ...JSON.parse(key), purchases: String(purchases) })),
      ),
      cut.pending,
    ],
  };
}

function byCode(sums: ReadonlyMap<string, bigint>, name: string): string {
  return JSON.stringify([...sums].map(([code, sum]) => ({ code, [name]: String(sum) })));
}
