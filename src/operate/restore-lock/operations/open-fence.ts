/** Opens the restore fence: sales begin within a second, in every process. */
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
import { lockFence, updateLifted } from '../../../purchases/engine/fence-store.ts';

export const openFenceOperation = defineOperation({
  name: 'restore.open',
  kind: 'act',
  summary:
    'open the fence of a restore, once the lists of all providers are read and every finding is settled',
  roles: admins,
  route: 'POST /restore/open',
  document: 'operators/restore.md',
  confirm: ({ despite_differences: despite = false }) =>
    despite ? 'What is not reconciled may be bought again. Open it?' : undefined,
  input: inputOf({
    despite_differences: Type.Optional(
      Type.Boolean({
        description: 'opens it although lists are missing or orders are not settled; it takes a reason',
        default: false,
      }),
    ),
    reason: Type.Optional(reasonField),
  }),
  output: Type.Object({
    fence: Type.String(),
    missing: Type.Array(Type.String()),
    /** Findings that nobody settled. */
    open: Type.Integer(),
  }),
  run: async ({ tx, actor }: Acting, { despite_differences: despite = false, reason }) => {
    const fence = await lockFence(tx);
    if (fence === undefined) throw new OperationError({ code: 'no_fence' });
    const coverage = await listCoverage(tx, fence);
    const missing = coverage.flatMap(({ provider, gaps }) => (gaps.length === 0 ? [] : [provider]));
    const open = await countOpenFindings(tx, fence.raised_at);
    const isWhole = missing.length === 0 && open === 0;
    if (!isWhole && !despite)
      throw new OperationError({ code: 'restore_incomplete', providers: missing, open });
    if (!isWhole && reason === undefined) {
      const faults = [{ field: 'reason', kind: 'missing', wanted: 'why it is opened all the same' }] as const;
      throw new OperationError({ code: 'input_malformed', faults });
    }
    await updateLifted(tx, fence.id, actor.name);
    if (!isWhole) {
      const what = `without the lists of ${missing.length} providers, with ${open} open findings`;
      const message = `the fence of a restore was opened ${what}: ${reason}`;
      await insertAlarm(tx, { kind: 'restore_opened', merchantId: undefined, message });
    }
    await recordOperation(tx, {
      actor,
      action: 'restore.open',
      subject: `restore_fence:${fence.id}`,
      after: { missing, open, ...(reason !== undefined && { reason }) },
    });
    await announceChange(tx, 'fence');
    return { fence: fence.id, missing, open };
  },
});
