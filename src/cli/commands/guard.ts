/** `oja guard`: what becomes of a product that would be sold at a loss. */
import { setGuardOperation } from '../../catalog/operations/set-guard.ts';
import { listGuardsOperation } from '../../margins/operations/list-guards.ts';
import { timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';

export const guardCommands: readonly OperationCommand[] = [
  commandOf(setGuardOperation, {
    arguments: ['environment', 'product', 'mode'],
    flags: { network: '--network <network>', forget_costs: '--forget-costs' },
    examples: ['guard set live data stop', 'guard set live airtime stop --network MTN --forget-costs'],
    text: ({ environment, product, network, mode, mode_before: before, costs_forgotten: forgotten }) =>
      `The guard of ${product} ${network} in ${environment} is ${mode} (before: ${before}).` +
      (forgotten === 0 ? '' : `\nForgotten: what providers took for ${forgotten} plans or amounts.`),
  }),
  commandOf(listGuardsOperation, {
    examples: ['guard list'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'ENV', of: (guard) => guard.environment },
          { title: 'PRODUCT', of: (guard) => guard.product },
          { title: 'NETWORK', of: (guard) => guard.network },
          { title: 'GUARD', of: (guard) => guard.mode },
          { title: 'SINCE', of: (guard) => timeText(guard.set_at) },
        ],
        'No guards are set: a sale at a loss raises an alarm.',
      ),
  }),
];
