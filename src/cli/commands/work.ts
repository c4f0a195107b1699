/** `oja work`: what is pending, and what waits for a person. */
import { countWorkOperation } from '../../purchases/history/operations/count-work.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const workCommands: readonly OperationCommand[] = [
  commandOf(countWorkOperation, {
    examples: ['work count'],
  }),
];
