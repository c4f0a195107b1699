/** `oja delivery`: orders that are sent to customers. */
import { listDeliveriesOperation } from '../../notifications/messages/operations/list-deliveries.ts';
import { retryDeliveryOperation } from '../../purchases/goods/operations/retry-delivery.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const deliveryCommands: readonly OperationCommand[] = [
  commandOf(listDeliveriesOperation, {
    examples: ['delivery list', 'delivery list --all'],
  }),
  commandOf(retryDeliveryOperation, {
    arguments: ['reference'],
    examples: ['delivery retry order-77', 'delivery retry order-77 --merchant SHOP --env live --again'],
  }),
];
