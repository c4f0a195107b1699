/** `oja vend ask`, `settle`, `refund`, `provider-refund`: purchases in doubt, and money back. */
import { askVendOperation } from '../../purchases/unresolved/operations/query-purchase.ts';
import { settleVendOperation } from '../../purchases/unresolved/operations/settle-purchase.ts';
import {
  bookProviderRefundOperation,
  refundVendOperation,
} from '../../purchases/refunds/operations/refund-purchase.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const vendDoubtCommands: readonly OperationCommand[] = [
  commandOf(askVendOperation, {
    arguments: ['reference'],
    examples: ['vend ask air-7', 'vend ask order-77 --merchant SHOP --env live'],
  }),
  commandOf(settleVendOperation, {
    arguments: ['reference'],
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
  }),
  commandOf(refundVendOperation, {
    arguments: ['reference'],
    examples: [
      'vend refund air-7 --reason "the line was barred"',
      'vend refund air-7 --amount 50 --reason "half of it arrived" --key case-4411',
    ],
  }),
  commandOf(bookProviderRefundOperation, {
    arguments: ['reference'],
    examples: ['vend provider-refund air-7 --amount 97 --reason "credit note 12 of VTpass"'],
  }),
];
