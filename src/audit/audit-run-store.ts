/** SQL of audit runs. A run is stored when it has ended, so a run that is killed leaves no row. */
import type { Tx } from '../db/database.ts';

export type AuditRun = {
  readonly startedAt: Date;
  /** The names of the failed checks. */
  readonly failed: readonly string[];
  /** The end of the audit log that it saw, as JSON; undefined if the log is empty. */
  readonly auditLog: string | undefined;
};

/**
 * Stores a run. Only the newest clean run keeps the end of the audit log, which later audits look
 * for.
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
