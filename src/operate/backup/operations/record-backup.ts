/** Records a backup of the operator's own tool for the alarm, the metric and the doctor. */
import { Type } from 'typebox';
import type { ActorOrName } from '../../../core/actor.ts';
import { formatRfc3339 } from '../../../core/clock.ts';
import { OperationError } from '../../../core/errors.ts';
import { admins, defineOperation } from '../../../core/operation.ts';
import { inputOf, text } from '../../../core/operation-fields.ts';
import type { Tx } from '../../../db/database.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { type BackupRecord, endOldBackup, insertBackup } from '../backup-record-store.ts';

export const recordBackupOperation = defineOperation({
  name: 'backup.record',
  kind: 'act',
  summary: 'record a backup that your own tool took; an alarm is raised when backups stop',
  roles: admins,
  route: 'POST /backups/record',
  document: 'operators/backup.md',
  input: inputOf({
    label: text("the tool's name of the backup"),
    target: text('the folder or repository of the backup, without secrets'),
    taken_at: Type.Optional(
      Type.String({
        description: 'the time of the backup, such as 2026-11-22T10:30:00+01:00 (default: now)',
        format: 'date-time',
        pattern: '^[12][0-9]{3}-',
      }),
    ),
    verified: Type.Optional(Type.Boolean({ description: 'true if it was checked by a restore' })),
  }),
  output: Type.Object({ label: Type.String(), taken_at: Type.String(), changed: Type.Boolean() }),
  run: async ({ tx, actor }: Acting, { label, target, taken_at: at, verified = false }) => {
    const now = new Date();
    const takenAt = at === undefined ? now : new Date(at);
    if (takenAt > now) throw new OperationError({ code: 'time_ahead' });
    const record = { id: label, takenAt, target, verified };
    const changed = await recordBackup(tx, record, actor);
    return { label, taken_at: formatRfc3339(takenAt), changed };
  },
});

/** Records a backup and ends the alarm. Returns false if it was already recorded. */
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
