/** Lists what waits for a second person, and what became of it, without inputs of over 4 KiB. */
import type { Asking } from '../../audit-log/acting.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { idPageFields, inputOf, oneOf, pageOf } from '../../kernel/operation-fields.ts';
import { answerApprovals, approvalOutput } from '../approval-answer.ts';
import { approvalStates, listApprovals } from '../approval-store.ts';
import type { Looking } from '../judge-decider.ts';

export const listApprovalsOperation = defineOperation({
  name: 'approval.list',
  kind: 'question',
  summary: 'list what waits, or waited, for a second person, newest first',
  roles,
  listsPeople: true,
  route: 'GET /approvals',
  document: 'operators/approvals.md',
  input: inputOf({ state: oneOf([...approvalStates, 'all'], { default: 'waiting' }), ...idPageFields }),
  output: pageOf(approvalOutput),
  run: async ({ sql, ...looking }: Asking & Looking, { state, limit = 50, cursor }) => {
    const wanted = { state: state === 'all' ? undefined : state, before: cursor, limit: limit + 1 };
    const found = await listApprovals(sql, wanted);
    const page = found.slice(0, limit);
    return {
      data: await answerApprovals(sql, page, looking),
      cursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  },
});
