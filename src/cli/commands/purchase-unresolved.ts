/**
 * `oja purchase query`, `settle`, `refund`, `provider-refund`: purchases in doubt, and money back.
 */

import {
  bookProviderRefundOperation,
  refundPurchaseOperation,
} from '../../purchases/refunds/operations/refund-purchase.ts';
import { queryPurchaseOperation } from '../../purchases/unresolved/operations/query-purchase.ts';
import { settlePurchaseOperation } from '../../purchases/unresolved/operations/settle-purchase.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const purchaseDoubtCommands: readonly OperationCommand[] = [
  commandOf(queryPurchaseOperation, {
    arguments: ['reference'],
    examples: ['purchase query air-7', 'purchase query order-77 --merchant SHOP --env live'],
  }),
  commandOf(settlePurchaseOperation, {
    arguments: ['reference'],
    choices: {
      outcome: {
        '--success': { value: 'success', help: 'it was delivered: its money is taken' },
        '--failed': { value: 'failed', help: 'it was not delivered: its money goes back' },
      },
    },
    examples: [
      'purchase settle air-7 --success --evidence "ticket 4411: delivered at 10:02" --cost 49.50',
      'purchase settle air-8 --failed --evidence "mail of VTpass, 22 Nov: never processed"',
    ],
  }),
  commandOf(refundPurchaseOperation, {
    arguments: ['reference'],
    examples: [
      'purchase refund air-7 --reason "the line was barred"',
      'purchase refund air-7 --amount 50 --reason "half of it arrived" --key case-4411',
    ],
  }),
  commandOf(bookProviderRefundOperation, {
    arguments: ['reference'],
    examples: ['purchase provider-refund air-7 --amount 97 --reason "credit note 12 of VTpass"'],
  }),
];
