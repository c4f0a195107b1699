/** `oja balances`: what the house has, owes and earns. */
import { listBalancesOperation } from '../../wallet/operations/list-balances.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const balancesCommands: readonly OperationCommand[] = [
  commandOf(listBalancesOperation, {
    command: 'balances',
    examples: ['balances', 'balances --json'],
  }),
];
