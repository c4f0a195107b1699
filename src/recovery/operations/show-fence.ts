/** Whether the database is fenced, and what is to be done before it can be opened. */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { formatRfc3339 } from '../../kernel/clock.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { inputOf, oneOf } from '../../kernel/operation-fields.ts';
import { orNull, textOrNull } from '../../kernel/or-null.ts';
import { type FenceState, readFenceState } from '../fence-state.ts';
import { fenceCauses, findFence } from '../fence-store.ts';

export const showFenceOperation = defineOperation({
  name: 'restore.status',
  kind: 'question',
  summary: 'whether the database is fenced after a restore, and what is to be done before it can be opened',
  roles,
  route: 'GET /restore',
  document: 'operators/restore.md',
  input: inputOf({}),
  output: Type.Object({
    fenced: Type.Boolean(),
    cause: orNull(oneOf(fenceCauses)),
    reason: textOrNull,
    lost_from: textOrNull,
    raised_at: textOrNull,
    raised_by: textOrNull,
    reconciled: Type.Array(
      Type.Object({
        provider: Type.String(),
        source: oneOf(['asked', 'file']),
        orders: Type.Integer(),
        listed_from: Type.String(),
        listed_until: Type.String(),
      }),
    ),
    /** Providers whose lists are missing. */
    missing: Type.Array(Type.String()),
    /** The parts of the lost time that their lists do not have. */
    gaps: Type.Array(Type.Object({ provider: Type.String(), from: Type.String(), until: Type.String() })),
    left: Type.Integer(),
    /** The command to type; null where nothing is fenced. */
    next: textOrNull,
  }),
  run: async ({ sql }: Asking) => {
    const fence = await findFence(sql);
    if (fence === undefined) {
      const none = { cause: null, reason: null, lost_from: null, raised_at: null, raised_by: null };
      return { fenced: false, ...none, reconciled: [], missing: [], gaps: [], left: 0, next: null };
    }
    const state = await readFenceState(sql, fence);
    const { reconciled, missing, gaps, left } = state;
    return {
      fenced: true,
      cause: fence.cause,
      reason: fence.reason,
      lost_from: formatRfc3339(fence.lost_from),
      raised_at: formatRfc3339(fence.raised_at),
      raised_by: fence.raised_by,
      reconciled: reconciled.map((row) => ({
        provider: row.provider,
        source: row.source,
        orders: row.orders,
        listed_from: formatRfc3339(row.listed_from),
        listed_until: formatRfc3339(row.listed_until),
      })),
      missing: [...missing],
      gaps: gaps.map(({ provider, from, until }) => ({
        provider,
        from: formatRfc3339(from),
        until: formatRfc3339(until),
      })),
      left,
      next: nextOf(state),
    };
  },
});

/** The command to type: lists first, for orders are left by what is in them. */
function nextOf({ reconciled, missing, left }: FenceState): string {
  // Those that can be asked have been.
  if (reconciled.length > 0 && missing.length > 0) {
    return `oja restore reconcile ${missing.map((provider) => `${provider}=FILE`).join(' ')} --apply`;
  }
  if (missing.length > 0) return 'oja restore reconcile';
  return left > 0 ? 'oja restore found --verdict left' : 'oja restore open';
}
