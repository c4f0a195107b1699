/** `oja approval`: acts that wait for a second person. */
import { approveOperation, rejectOperation } from '../../oversight/approvals/operations/decide-approval.ts';
import {
  countApprovalsOperation,
  listApprovalsOperation,
  showApprovalOperation,
} from '../../oversight/approvals/operations/list-approvals.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const approvalCommands: readonly OperationCommand[] = [
  commandOf(listApprovalsOperation, {
    examples: ['approval list', 'approval list --state all'],
    columns: [
      'id',
      'state',
      'title',
      'asked_by',
      'asked_at',
      'about.amount',
      'about.currency',
      'about.merchant.code',
      'may_decide',
    ],
  }),
  commandOf(countApprovalsOperation, {
    examples: ['approval count'],
  }),
  commandOf(showApprovalOperation, {
    arguments: ['approval'],
    examples: ['approval show 0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69'],
  }),
  commandOf(approveOperation, {
    arguments: ['approval'],
    examples: ['approval approve 0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69 --yes'],
  }),
  commandOf(rejectOperation, {
    arguments: ['approval'],
    examples: ['approval reject 0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69 --reason "the support was wrong"'],
  }),
];
