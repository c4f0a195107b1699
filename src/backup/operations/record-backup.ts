/**
 * Notes a backup that another tool took of an external database, so that the alarm and the metric
 * of old backups know of it.
 */
import { Type } from 'typebox';
import type { Acting } from '../../audit-log/acting.ts';
import { formatRfc3339 } from '../../kernel/clock.ts';
import { OperationError } from '../../kernel/errors.ts';
import { admins, defineOperation } from '../../kernel/operation.ts';
import { inputOf, text } from '../../kernel/operation-fields.ts';
import { recordBackup } from '../record-backup.ts';

export const recordBackupOperation = defineOperation({
  name: 'backup.record',
  kind: 'act',
  summary: 'note a backup that another tool took, so that old backups are noticed',
  roles: admins,
  route: 'POST /backups/record',
  document: 'operators/backup.md',
  input: inputOf({
    label: text("the tool's own name of the backup"),
    target: text('the name of the folder or repository, without secrets'),
    taken_at: Type.Optional(
      Type.String({
        description: 'a moment such as 2026-11-22T10:30:00+01:00: when it was taken; without, now',
        format: 'date-time',
        pattern: '^[12][0-9]{3}-',
      }),
    ),
    verified: Type.Optional(Type.Boolean({ description: 'true where it was restored, to check it' })),
  }),
  output: Type.Object({ label: Type.String(), taken_at: Type.String(), changed: Type.Boolean() }),
  run: async ({ tx, actor }: Acting, { label, target, taken_at: at, verified = false }) => {
    const now = new Date();
    const takenAt = at === undefined ? now : new Date(at);
    if (takenAt > now) throw new OperationError({ code: 'time_ahead' });
    const record = { id: label, takenAt, target, bytes: undefined, verified };
    const changed = await recordBackup(tx, record, actor);
    return { label, taken_at: formatRfc3339(takenAt), changed };
  },
});
