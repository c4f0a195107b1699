/** Notes a backup that was taken, so that its absence is noticed one day. */
import { recordOperation } from '../audit-log/audit-log-store.ts';
import type { Tx } from '../db/database.ts';
import type { ActorOrName } from '../kernel/actor.ts';
import { formatRfc3339 } from '../kernel/clock.ts';
import { type BackupRecord, endOldBackup, insertBackup } from './backup-record-store.ts';

/** False where it was noted before. */
export async function recordBackup(tx: Tx, record: BackupRecord, actor: ActorOrName): Promise<boolean> {
  if (!(await insertBackup(tx, record))) return false;
  await endOldBackup(tx);
  const { id, takenAt, target, verified } = record;
  await recordOperation(tx, {
    actor,
    action: 'backup.record',
    subject: `backup:${id}`,
    after: { taken_at: formatRfc3339(takenAt), target, verified },
  });
  return true;
}
