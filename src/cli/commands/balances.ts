/** `oja balances`: what the house has, owes and earns. */
import { listBalancesOperation } from '../../wallet/operations/list-balances.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';

export const balancesCommands: readonly OperationCommand[] = [
  commandOf(listBalancesOperation, {
    command: 'balances',
    examples: ['balances', 'balances --json'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'ACCOUNT', of: (line) => line.account },
          { title: 'ENV', of: (line) => line.environment },
          { title: 'CURRENCY', of: (line) => line.currency },
          { title: 'BALANCE', of: (line) => line.balance, right: true },
        ],
        'No accounts.',
      ),
  }),
];
