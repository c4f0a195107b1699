/** Runs an audit and stores that it ran. One that is killed stores nothing. */
import type { Queries } from '../db/database.ts';
import { isStandby } from '../db/is-standby.ts';
import { insertRun, readNow } from './audit-run-store.ts';
import { auditVends, type Slicing } from './audit-vends.ts';
import type { AuditResult } from './findings.ts';

type Options = Slicing & {
  /** Where it is stored that it ran; by default where it reads. */
  readonly storeIn?: Pick<Queries, 'transaction'>;
};

export async function runAudit(
  database: Queries,
  { storeIn = database, ...slicing }: Options = {},
): Promise<readonly AuditResult[]> {
  const startedAt = await readNow(database);
  const { checks, auditLog } = await auditVends(database, slicing);
  if (await isStandby(database)) return checks;
  const failed = checks.filter((check) => !check.ok).map((check) => check.name);
  await storeIn.transaction((tx) => insertRun(tx, { startedAt, failed, auditLog }), { patient: true });
  return checks;
}
