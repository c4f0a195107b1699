/**
 * How a check of the audit is run. A check is an SQL statement whose rows are the differences: a
 * few of them are fetched, and all are counted.
 */
import type { Row, Sql } from '../db/database.ts';

/**
 * An SQL statement that gives one row for each difference: what should be, what is, and whose it
 * is. No rows when all is well.
 */
export type AuditCheck = {
  readonly name: string;
  /** What must be true. */
  readonly description: string;
  readonly differences: string;
};

/**
 * Gives PostgreSQL memory for joins and sums over all vends, and lifts the time-out that is meant
 * for requests.
 */
export async function prepareAudit(sql: Sql): Promise<void> {
  await sql.query("set local work_mem = '64MB'");
  await sql.query('set local statement_timeout = 0');
  await sql.query('set local jit = off');
  // Whole tables are joined with whole tables here. Before their first analyze PostgreSQL takes
  // them for small, and loops.
  await sql.query('set local enable_nestloop = off');
  await sql.query('set local enable_mergejoin = off');
}

export async function findDifferences(
  sql: Sql,
  check: AuditCheck,
  listedMax: number,
): Promise<{ count: number; listed: Row[] }> {
  const rows = await sql.query<Row & { differences_total: bigint }>(
    // Materialized, since PostgreSQL would otherwise plan to find the first rows of the limit
    // quickly, and there are none when all is well.
    `with difference as materialized (${check.differences})
     select d.*, (select count(*) from difference) as differences_total
     from difference d
     limit $1`,
    [listedMax],
  );
  return {
    count: Number(rows[0]?.differences_total ?? 0n),
    listed: rows.map(({ differences_total: _, ...row }) => row),
  };
}
