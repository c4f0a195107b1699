/** `oja delivery`: orders that are sent to customers. */
import { listDeliveriesOperation } from '../../messages/operations/list-deliveries.ts';
import { retryDeliveryOperation } from '../../vending/goods/operations/retry-delivery.ts';
import { optional, timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';

export const deliveryCommands: readonly OperationCommand[] = [
  commandOf(listDeliveriesOperation, {
    examples: ['delivery list', 'delivery list --all'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'AT', of: (row) => timeText(row.updated_at) },
          { title: 'MERCHANT', of: (row) => `${row.merchant} (${row.environment})` },
          { title: 'REFERENCE', of: (row) => row.reference },
          { title: 'BY', of: (row) => row.channel },
          { title: 'TO', of: (row) => row.hint },
          { title: 'STATE', of: (row) => row.state },
          { title: 'TRIES', of: (row) => String(row.tries), right: true },
          { title: 'NEXT', of: (row) => (row.state === 'due' ? optional(row.due_at, timeText) : '-') },
          { title: 'WHY', of: (row) => (row.code === null ? '-' : `${row.code}: ${row.note ?? ''}`) },
        ],
        'Nothing.',
      ),
  }),
  commandOf(retryDeliveryOperation, {
    arguments: ['reference'],
    flags: { environment: '--env <environment>' },
    examples: ['delivery retry order-77', 'delivery retry order-77 --merchant SHOP --env live --again'],
    text: ({ reference }) => `${reference} is sent again; see oja vend show ${reference}.`,
  }),
];
