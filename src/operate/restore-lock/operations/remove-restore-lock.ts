/** Removes the restore lock. Every process resumes live purchases within a second. */
import { Type } from 'typebox';
import { OperationError } from '../../../core/errors.ts';
import { admins, defineOperation } from '../../../core/operation.ts';
import { inputOf, reasonField } from '../../../core/operation-fields.ts';
import { announceChange } from '../../../db/change-notice-store.ts';
import { listCoverage } from '../../../finance/reconciliation/coverage-store.ts';
import { countOpenFindings } from '../../../finance/reconciliation/finding-store.ts';
import { insertAlarm } from '../../../notifications/alarms/alarm-store.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { lockRestoreLock, updateLifted } from '../../../purchases/engine/restore-lock-store.ts';

export const removeRestoreLockOperation = defineOperation({
  name: 'restore.open',
  kind: 'act',
  summary:
    'remove the restore lock, after all provider lists are read and every finding is settled; live purchases resume',
  roles: admins,
  route: 'POST /restore/open',
  document: 'operators/restore.md',
  confirm: ({ despite_differences: despite = false }) =>
    despite ? 'Purchases that are not reconciled may be bought again. Remove the lock?' : undefined,
  input: inputOf({
    despite_differences: Type.Optional(
      Type.Boolean({
        description: 'true to remove it although lists are missing or orders are unsettled; needs a reason',
        default: false,
      }),
    ),
    reason: Type.Optional(reasonField),
  }),
  output: Type.Object({
    restore_lock: Type.String(),
    missing: Type.Array(Type.String()),
    /** Unsettled findings. */
    open: Type.Integer(),
  }),
  run: async ({ tx, actor }: Acting, { despite_differences: despite = false, reason }) => {
    const restoreLock = await lockRestoreLock(tx);
    if (restoreLock === undefined) throw new OperationError({ code: 'no_restore_lock' });
    const coverage = await listCoverage(tx, restoreLock);
    const missing = coverage.flatMap(({ provider, gaps }) => (gaps.length === 0 ? [] : [provider]));
    const open = await countOpenFindings(tx, restoreLock.raised_at);
    const isWhole = missing.length === 0 && open === 0;
    if (!isWhole && !despite)
      throw new OperationError({ code: 'restore_incomplete', providers: missing, open });
    if (!isWhole && reason === undefined) {
      const errors = [
        { field: 'reason', kind: 'missing', wanted: 'the reason to remove the lock with open findings' },
      ] as const;
      throw new OperationError({ code: 'input_malformed', errors });
    }
    await updateLifted(tx, restoreLock.id, actor.name);
    if (!isWhole) {
      const what = `${missing.length} provider lists missing, ${open} findings open`;
      const message = `The restore lock was removed before it was reconciled (${what}). Reason: ${reason}`;
      await insertAlarm(tx, { kind: 'restore_opened', merchantId: undefined, message });
    }
    await recordOperation(tx, {
      actor,
      action: 'restore.open',
      subject: `restore_lock:${restoreLock.id}`,
      after: { missing, open, ...(reason !== undefined && { reason }) },
    });
    await announceChange(tx, 'restore_lock');
    return { restore_lock: restoreLock.id, missing, open };
  },
});
