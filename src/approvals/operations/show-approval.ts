/** Shows one act that waits for a second person, or what became of it. */
import type { Asking } from '../../audit-log/acting.ts';
import { OperationError } from '../../kernel/errors.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { idField, inputOf } from '../../kernel/operation-fields.ts';
import { approvalAnswer, approvalOutput } from '../approval-answer.ts';
import { findApproval } from '../approval-store.ts';

export const showApprovalOperation = defineOperation({
  name: 'approval.show',
  kind: 'question',
  summary: 'show one act that waits, or waited, for a second person',
  roles,
  route: 'GET /approvals/{approval}',
  document: 'operators/approvals.md',
  input: inputOf({ approval: idField }),
  output: approvalOutput,
  run: async ({ sql }: Asking, { approval: id }) => {
    const found = await findApproval(sql, id);
    if (found === undefined) throw new OperationError({ code: 'no_approval', approval: id });
    return approvalAnswer(found);
  },
});
