/** `oja task`: long work that was started at the console, and goes on in a gateway. */
import { listTasksOperation, showTaskOperation } from '../../backoffice/tasks/operations/list-tasks.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const taskCommands: readonly OperationCommand[] = [
  commandOf(listTasksOperation, {
    examples: ['task list', 'task list --state running'],
  }),
  commandOf(showTaskOperation, {
    arguments: ['task'],
    examples: ['task show 0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69'],
  }),
];
