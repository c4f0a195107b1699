/** Shows whether the restore lock is set, and the next step to remove it. */
import { Type } from 'typebox';
import { accountOutput } from '../../../core/account-names.ts';
import { nullable, nullableText } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { inputOf, nullableTime, oneOf, timeOutput } from '../../../core/operation-fields.ts';
import { listCoverage, type ProviderCoverage } from '../../../finance/reconciliation/coverage-store.ts';
import { countOpenFindings } from '../../../finance/reconciliation/finding-store.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { findRestoreLock, restoreLockCauses } from '../../../purchases/engine/restore-lock-store.ts';

export const showRestoreLockOperation = defineOperation({
  name: 'restore.status',
  kind: 'question',
  summary: 'show whether the restore lock is set, and the next step to remove it',
  roles,
  route: 'GET /restore',
  document: 'operators/restore.md',
  input: inputOf({}),
  output: Type.Object({
    locked: Type.Boolean(),
    cause: nullable(oneOf(restoreLockCauses)),
    reason: nullableText,
    lost_from: nullableTime,
    raised_at: nullableTime,
    raised_by: nullableText,
    /** The providers whose lists are needed, and the time that the lists cover. */
    providers: Type.Array(
      Type.Object({
        provider: accountOutput,
        listed_from: nullableTime,
        listed_until: nullableTime,
        /** The parts of the lost time that no list covers. */
        gaps: Type.Array(Type.Object({ from: timeOutput, until: timeOutput })),
      }),
    ),
    /** Unsettled findings. */
    open: Type.Integer(),
    /** The next command to run. Null without a lock. */
    next: nullableText,
  }),
  run: async ({ sql }: Asking) => {
    const restoreLock = await findRestoreLock(sql);
    if (restoreLock === undefined) {
      const none = { cause: null, reason: null, lost_from: null, raised_at: null, raised_by: null };
      return { locked: false, ...none, providers: [], open: 0, next: null };
    }
    const coverage = await listCoverage(sql, restoreLock);
    const open = await countOpenFindings(sql, restoreLock.raised_at);
    return {
      ...restoreLock,
      locked: true,
      providers: coverage.map(({ listedFrom, listedUntil, ...one }) => ({
        ...one,
        listed_from: listedFrom,
        listed_until: listedUntil,
      })),
      open,
      next: nextOf(coverage, open),
    };
  },
});

/** Returns the next command. Lists come first, because they may settle findings. */
function nextOf(coverage: readonly ProviderCoverage[], open: number): string {
  const missing = coverage.find(({ gaps }) => gaps.length > 0);
  if (missing !== undefined) return `oja reconcile ${missing.provider} [FILE] --apply`;
  return open > 0 ? 'oja finding list --verdict open' : 'oja restore open';
}
