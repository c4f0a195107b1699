/** `oja price`: what a merchant pays. */
import { listPricesOperation } from '../../catalog/operations/list-prices.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const priceCommands: readonly OperationCommand[] = [
  commandOf(listPricesOperation, {
    arguments: ['merchant'],
    examples: ['price list SHOP', 'price list SHOP --product data --env test'],
  }),
];
