/**
 * SQL of the runs of the audit. A run is stored when it has ended, so one that was killed leaves
 * the run before it as it was.
 */
import type { Sql, Tx } from '../db/database.ts';

/** The time of the database. */
export async function readNow(sql: Sql): Promise<Date> {
  const [row] = await sql.query<{ at: Date }>('select now() as at');
  if (row === undefined) throw new Error('a select without a table gives a row');
  return row.at;
}

export type AuditRun = {
  readonly startedAt: Date;
  /** The names of the checks that did not hold. */
  readonly failed: readonly string[];
  /** The end of the audit log that it saw, as JSON; undefined where the log is empty. */
  readonly auditLog: string | undefined;
};

/**
 * Stores a run. The newest clean one keeps the end of the audit log, which later audits look for;
 * those before it do not.
 */
export async function insertRun(tx: Tx, { startedAt, failed, auditLog }: AuditRun): Promise<void> {
  const isClean = failed.length === 0;
  await tx.query(
    `insert into audit_runs (started_at, ended_at, failed, audit_log)
     values ($1, clock_timestamp(), $2, $3)`,
    [startedAt, failed, isClean ? (auditLog ?? null) : null],
  );
  if (!isClean) return;
  await tx.query(
    'update audit_runs set audit_log = null where audit_log is not null and id < (select max(id) from audit_runs)',
  );
}
