/** `oja approval`: acts that wait for a second person. */
import type { ApprovalAnswer } from '../../approvals/approval-answer.ts';
import { approveOperation, rejectOperation } from '../../approvals/operations/decide-approval.ts';
import {
  countApprovalsOperation,
  listApprovalsOperation,
  showApprovalOperation,
} from '../../approvals/operations/list-approvals.ts';
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
          { title: 'AMOUNT', of: ({ about }) => amountOf(about) ?? '-', right: true },
          { title: 'MERCHANT', of: ({ about }) => about?.merchant?.code ?? '-' },
          { title: 'YOURS', of: ({ may_decide: may }) => (may ? 'yes' : 'no') },
          { title: 'WITH', of: ({ input }) => JSON.stringify(input) },
        ],
        'Nothing waits for a second person.',
      ),
  }),
  commandOf(countApprovalsOperation, {
    examples: ['approval count'],
    text: ({ waiting, for_you: yours }) => `Waiting: ${waiting}. You may approve ${yours} of them.`,
  }),
  commandOf(showApprovalOperation, {
    arguments: ['approval'],
    examples: ['approval show 0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69'],
    text: ({ deciders, ...approval }) => approvalText(approval, deciders),
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

type Deciders = readonly { readonly name: string; readonly email: string | null }[];

function approvalText(approval: ApprovalAnswer, deciders: Deciders = []): string {
  const { decided_at: decidedAt, decided_by: by, decided_principal: principal, reason, output } = approval;
  const { about } = approval;
  const amount = amountOf(about);
  return pairs([
    ['Approval', approval.id],
    ['State', approval.state],
    ['Request', approval.title],
    ['Operation', approval.operation],
    ...(amount === undefined ? [] : [['Amount', amount] as const]),
    ...(about?.merchant ? [['Merchant', `${about.merchant.code} (${about.merchant.name})`] as const] : []),
    ...(about?.purchase ? [['Purchase', `${about.purchase.reference} (${about.purchase.id})`] as const] : []),
    ...Object.entries(approval.input).map(([name, value]) => [`  ${name}`, String(value)] as const),
    ['Asked by', askerOf(approval)],
    ['Asked at', approval.asked_at],
    ['Until', approval.expires_at],
    ...(deciders.length === 0 ? [] : [['Can be approved by', deciders.map(nameOf).join(', ')] as const]),
    ['You may approve it', approval.may_decide ? 'yes' : `no: ${approval.refusal}`],
    ...(decidedAt === null ? [] : [['Decided by', `${by} (${principal}), ${decidedAt}`] as const]),
    ...(reason === null ? [] : [['Reason', reason] as const]),
    ...(output === null ? [] : [['Answer', toJson(output).replaceAll(/\s+/g, ' ')] as const]),
  ]);
}

/** The name may only be stated; the principal is who it was. */
function askerOf({ asked_by: name, asked_principal: principal }: ApprovalAnswer): string {
  return `${name} (${principal})`;
}

function nameOf({ name, email }: Deciders[number]): string {
  return email === null ? name : `${name} (${email})`;
}

/** `NGN 1500000.00`, or `USD 50.00 (NGN 78025.00)`; undefined where no amount is known. */
function amountOf(about: ApprovalAnswer['about']): string | undefined {
  if (about === null || about.amount === null) return undefined;
  const { amount, currency, naira } = about;
  const own = `${currency} ${amount}`;
  return currency === 'NGN' || naira === null ? own : `${own} (NGN ${naira})`;
}
