/** `oja work`: what is pending, and what waits for a person. */
import { countWorkOperation } from '../../vending/history/operations/count-work.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { pairs } from '../output.ts';

export const workCommands: readonly OperationCommand[] = [
  commandOf(countWorkOperation, {
    examples: ['work count'],
    text: ({ pending, alarms, deliveries, endpoints }) =>
      pairs([
        ...pending.map(({ age, count }) => [`pending ${age.replaceAll('_', ' ')}`, String(count)] as const),
        ['open alarms', String(alarms)],
        ['deliveries that did not arrive', String(deliveries)],
        ['endpoints that fail', String(endpoints.failing)],
        ['endpoints that are disabled', String(endpoints.disabled)],
      ]),
  }),
];
