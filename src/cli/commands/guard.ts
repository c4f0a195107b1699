/** `oja guard`: what becomes of a product that would be sold at a loss. */

import { listGuardsOperation, setGuardOperation } from '../../catalog/operations/guards.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const guardCommands: readonly OperationCommand[] = [
  commandOf(setGuardOperation, {
    arguments: ['environment', 'product', 'mode'],
    examples: ['guard set live data stop', 'guard set live airtime stop --network MTN --forget-costs'],
  }),
  commandOf(listGuardsOperation, {
    examples: ['guard list'],
  }),
];
