/** Shows one act that waits for a second person, or what became of it. */
import type { Asking } from '../../audit-log/acting.ts';
import { OperationError } from '../../kernel/errors.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { idField, inputOf } from '../../kernel/operation-fields.ts';
import { answerApproval, listDeciders, personAnswer, shownApprovalOutput } from '../approval-answer.ts';
import { findApproval } from '../approval-store.ts';
import type { Looking } from '../judge-decider.ts';

export const showApprovalOperation = defineOperation({
  name: 'approval.show',
  kind: 'question',
  summary: 'show one act that waits, or waited, for a second person, and who may approve it',
  roles,
  route: 'GET /approvals/{approval}',
  document: 'operators/approvals.md',
  input: inputOf({ approval: idField }),
  output: shownApprovalOutput,
  run: async ({ sql, ...looking }: Asking & Looking, { approval: id }) => {
    const found = await findApproval(sql, id);
    if (found === undefined) throw new OperationError({ code: 'no_approval', approval: id });
    const deciders = await listDeciders(sql, found, looking.rolesOf);
    return { ...(await answerApproval(sql, found, looking)), deciders: deciders.map(personAnswer) };
  },
});
