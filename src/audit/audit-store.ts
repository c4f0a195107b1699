/**
 * How a check of the audit is asked: any statement whose rows are the differences, of which a few
 * are fetched and all are counted.
 */
import type { Row, Sql } from '../db/database.ts';

/**
 * A statement that gives one row for each difference: what should be, what is, and whose it is.
 * None when all is well.
 */
export type AuditCheck = {
  readonly name: string;
  /** What must be true. */
  readonly description: string;
  readonly differences: string;
};

/**
 * Room for the joins and sums over all vends; a snapshot read must not be cut off by a time-out
 * meant for requests.
 */
export async function prepareAudit(sql: Sql): Promise<void> {
  await sql.query("set local work_mem = '64MB'");
  await sql.query('set local statement_timeout = 0');
  await sql.query('set local jit = off');
  // Whole tables meet whole tables here. Before their first analyze PostgreSQL takes them for
  // small, and loops.
  await sql.query('set local enable_nestloop = off');
  await sql.query('set local enable_mergejoin = off');
}

export async function findDifferences(
  sql: Sql,
  check: AuditCheck,
  listedMax: number,
): Promise<{ count: number; listed: Row[] }> {
  const rows = await sql.query<Row & { differences_total: bigint }>(
    // Materialized: under a limit PostgreSQL would plan for the first rows, and when all is well
    // there are none.
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
