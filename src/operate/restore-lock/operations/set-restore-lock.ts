/** Sets the restore lock by hand: after a restore, before a gateway starts on the database. */
import { Type } from 'typebox';
import { formatRfc3339 } from '../../../core/clock.ts';
import { OperationError } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { admins, defineOperation } from '../../../core/operation.ts';
import { inputOf, momentField, reasonField } from '../../../core/operation-fields.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { findRestoreLock } from '../../../purchases/engine/restore-lock-store.ts';
import { findLastBeat } from '../rewind-store.ts';
import { setRestoreLock } from '../set-restore-lock.ts';

export const setRestoreLockOperation = defineOperation({
  name: 'restore.lock',
  kind: 'act',
  summary:
    'set the restore lock on a restored database: live purchases pause until it is reconciled and the lock removed',
  roles: admins,
  withoutStepUp: true,
  route: 'POST /restore/lock',
  document: 'operators/restore.md',
  confirm: ({ keep_access: keepsAccess = false }) =>
    keepsAccess
      ? 'All live purchases are refused until the lock is removed. Set the lock?'
      : 'All live purchases are refused until the lock is removed. All sessions and tokens end, and every merchant key must be confirmed. Set the lock?',
  input: inputOf({
    reason: reasonField,
    from: Type.Optional(
      momentField('data stored after it may be missing (default: when a gateway last ran on the database)'),
    ),
    keep_access: Type.Optional(
      Type.Boolean({
        description:
          'true to keep sessions, links, tokens and keys valid, if purchases are only paused without a restore',
        default: false,
      }),
    ),
  }),
  output: Type.Object({ restore_lock: Type.String(), lost_from: Type.String() }),
  run: async ({ tx, actor }: Acting, { reason, from, keep_access: keepsAccess = false }) => {
    const now = new Date();
    const lostFrom = from === undefined ? ((await findLastBeat(tx, now)) ?? now) : new Date(from);
    if (lostFrom > now) throw new OperationError({ code: 'time_ahead' });
    const source = `by_hand:${newId()}`;
    await setRestoreLock(tx, { cause: 'by_hand', source, reason, lostFrom, keepsAccess }, actor);
    const restoreLock = await findRestoreLock(tx);
    return {
      restore_lock: restoreLock?.id ?? '',
      lost_from: formatRfc3339(restoreLock?.lost_from ?? lostFrom),
    };
  },
});
