/** Counts what waits for a second person, and how much of it the one who asks may approve. */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { inputOf } from '../../kernel/operation-fields.ts';
import { textOrNull } from '../../kernel/or-null.ts';
import { listWaiting } from '../approval-store.ts';
import { listControls } from '../control-store.ts';
import { type Looking, refusalOf } from '../judge-decider.ts';

/** So many are read, which bounds the work of a count. */
const COUNTED_MAX = 200;

export const countApprovalsOperation = defineOperation({
  name: 'approval.count',
  kind: 'question',
  summary: 'count what waits for a second person, and how much of it you may approve; 200 is 200 or more',
  roles,
  route: 'GET /approvals/count',
  document: 'operators/approvals.md',
  input: inputOf({}),
  output: Type.Object({ waiting: Type.Integer(), for_you: Type.Integer(), newest: textOrNull }),
  run: async ({ sql, looker, rolesOf }: Asking & Looking) => {
    const waiting = await listWaiting(sql, COUNTED_MAX);
    const controls = await listControls(sql);
    const yours = waiting.filter((one) => refusalOf(one, looker, controls, rolesOf) === undefined);
    return { waiting: waiting.length, for_you: yours.length, newest: waiting[0]?.id ?? null };
  },
});
