/** `oja vend ask`, `settle`, `refund`, `provider-refund`: purchases in doubt, and money back. */
import { askVendOperation } from '../../vending/doubt/operations/ask-vend.ts';
import { settleVendOperation } from '../../vending/doubt/operations/settle-vend.ts';
import {
  bookProviderRefundOperation,
  refundVendOperation,
} from '../../vending/refunds/operations/refund-vend.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

const vendFlags = { merchant: '--merchant <code>', environment: '--env <environment>' };

export const vendDoubtCommands: readonly OperationCommand[] = [
  commandOf(askVendOperation, {
    arguments: ['reference'],
    flags: vendFlags,
    examples: ['vend ask air-7', 'vend ask order-77 --merchant SHOP --env live'],
    text: ({ reference, provider, said, status, next_at: next }) => {
      const word =
        said === null
          ? `${provider} has not answered within 20 s.`
          : `${provider} says ${said.kind} (code ${said.code}: ${said.message}).`;
      const when = next === null ? '' : `, and is asked about next ${next}`;
      const end = status === 'pending' ? `is still pending${when}` : `is now ${endText[status]}`;
      return `${word}\n${reference} ${end}.`;
    },
  }),
  commandOf(settleVendOperation, {
    arguments: ['reference'],
    flags: { ...vendFlags, evidence: '--evidence <text>', cost: '--cost <naira>' },
    choices: {
      outcome: {
        '--success': { value: 'success', help: 'it was delivered: its money is taken' },
        '--failed': { value: 'failed', help: 'it was not delivered: its money goes back' },
      },
    },
    examples: [
      'vend settle air-7 --success --evidence "ticket 4411: delivered at 10:02" --cost 49.50',
      'vend settle air-8 --failed --evidence "mail of VTpass, 22 Nov: never processed"',
    ],
    text: ({ reference, outcome, token_owed: isTokenOwed }) => {
      const token = isTokenOwed ? ' It owes its token: ./oja vend goods adds it.' : '';
      return `${reference} is now ${endText[outcome]}.${token}`;
    },
  }),
  commandOf(refundVendOperation, {
    arguments: ['reference'],
    flags: { ...vendFlags, amount: '--amount <naira>', reason: '--reason <text>' },
    examples: [
      'vend refund air-7 --reason "the line was barred"',
      'vend refund air-7 --amount 50 --reason "half of it arrived" --key case-4411',
    ],
    text: ({ reference, merchant, environment, amount, paid, refunded, refund_id: id }) =>
      `${merchant} (${environment}) has ${amount} NGN back for ${reference}: ` +
      `${refunded} of ${paid} NGN by now. Refund ${id}.`,
  }),
  commandOf(bookProviderRefundOperation, {
    arguments: ['reference'],
    flags: { ...vendFlags, amount: '--amount <naira>', reason: '--reason <text>' },
    examples: ['vend provider-refund air-7 --amount 97 --reason "credit note 12 of VTpass"'],
    text: ({ reference, amount, paid, refunded, refund_id: id }) =>
      `The provider gave ${amount} NGN back for ${reference}: ` +
      `${refunded} of ${paid} NGN by now. The merchant got nothing by it. Refund ${id}.`,
  }),
];

const endText = {
  success: 'a success: its money is taken',
  failed: 'failed: its money went back',
} as const;
