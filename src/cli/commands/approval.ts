/** `oja approval`: acts that wait for a second person. */
import type { ApprovalAnswer } from '../../approvals/approval-answer.ts';
import { approveOperation, rejectOperation } from '../../approvals/operations/decide-approval.ts';
import { listApprovalsOperation } from '../../approvals/operations/list-approvals.ts';
import { showApprovalOperation } from '../../approvals/operations/show-approval.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { pairs, table, toJson } from '../output.ts';

export const approvalCommands: readonly OperationCommand[] = [
  commandOf(listApprovalsOperation, {
    examples: ['approval list', 'approval list --state all'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'ID', of: ({ id }) => id },
          { title: 'STATE', of: ({ state }) => state },
          { title: 'ASKED', of: ({ asked_at: at }) => at },
          { title: 'BY', of: askerOf },
          { title: 'WHAT', of: ({ operation }) => operation },
          { title: 'WITH', of: ({ input }) => JSON.stringify(input) },
        ],
        'Nothing waits for a second person.',
      ),
  }),
  commandOf(showApprovalOperation, {
    arguments: ['approval'],
    examples: ['approval show 0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69'],
    text: approvalText,
  }),
  commandOf(approveOperation, {
    arguments: ['approval'],
    examples: ['approval approve 0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69 --yes'],
    text: (approval) => `It is done.\n${approvalText(approval)}`,
  }),
  commandOf(rejectOperation, {
    arguments: ['approval'],
    examples: ['approval reject 0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69 --reason "the support was wrong"'],
    flags: { reason: '--reason <text>' },
    text: (approval) => `It is rejected, and nothing was done.\n${approvalText(approval)}`,
  }),
];

function approvalText(approval: ApprovalAnswer): string {
  const { decided_at: decidedAt, decided_by: by, decided_principal: principal, reason, output } = approval;
  return pairs([
    ['Approval', approval.id],
    ['State', approval.state],
    ['Operation', approval.operation],
    ...Object.entries(approval.input).map(([name, value]) => [`  ${name}`, String(value)] as const),
    ['Asked by', askerOf(approval)],
    ['Asked at', approval.asked_at],
    ['Until', approval.expires_at],
    ...(decidedAt === null ? [] : [['Decided by', `${by} (${principal}), ${decidedAt}`] as const]),
    ...(reason === null ? [] : [['Reason', reason] as const]),
    ...(output === null ? [] : [['Answer', toJson(output).replaceAll(/\s+/g, ' ')] as const]),
  ]);
}

/** The name may only be stated; the principal is who it was. */
function askerOf({ asked_by: name, asked_principal: principal }: ApprovalAnswer): string {
  return `${name} (${principal})`;
}
