/** Raises the restore fence by hand: after a restore, before a gateway starts on the database. */
import { Type } from 'typebox';
import { formatRfc3339 } from '../../../core/clock.ts';
import { OperationError } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { admins, defineOperation } from '../../../core/operation.ts';
import { inputOf, momentField, reasonField } from '../../../core/operation-fields.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { findFence } from '../../../purchases/engine/fence-store.ts';
import { findLastBeat } from '../life-store.ts';
import { raiseFence } from '../raise-fence.ts';

export const raiseFenceOperation = defineOperation({
  name: 'restore.fence',
  kind: 'act',
  summary:
    'fence a database that was restored: nothing is sold with live credentials until it is reconciled and opened',
  roles: admins,
  withoutStepUp: true,
  route: 'POST /restore/fence',
  document: 'operators/restore.md',
  confirm: ({ keep_access: keepsAccess = false }) =>
    keepsAccess
      ? 'Every purchase with live credentials is refused until the fence is opened. Raise it?'
      : 'Every purchase with live credentials is refused until the fence is opened. All sessions and tokens end, and every key of a merchant must be confirmed. Raise it?',
  input: inputOf({
    reason: reasonField,
    from: Type.Optional(
      momentField(
        'what was stored after it may be missing; without, when a gateway last ran on the database',
      ),
    ),
    keep_access: Type.Optional(
      Type.Boolean({
        description:
          'keeps sessions, links, tokens and keys valid: only for a pause where no database was restored',
        default: false,
      }),
    ),
  }),
  output: Type.Object({ fence: Type.String(), lost_from: Type.String() }),
  run: async ({ tx, actor }: Acting, { reason, from, keep_access: keepsAccess = false }) => {
    const now = new Date();
    const lostFrom = from === undefined ? ((await findLastBeat(tx, now)) ?? now) : new Date(from);
    if (lostFrom > now) throw new OperationError({ code: 'time_ahead' });
    const source = `by_hand:${newId()}`;
    await raiseFence(tx, { cause: 'by_hand', source, reason, lostFrom, keepsAccess }, actor);
    const fence = await findFence(tx);
    return { fence: fence?.id ?? '', lost_from: formatRfc3339(fence?.lost_from ?? lostFrom) };
  },
});
