/** `oja task`: long work that was started at the console, and goes on in a gateway. */
import { listTasksOperation, showTaskOperation, type TaskAnswer } from '../../tasks/operations/list-tasks.ts';
import { timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { pairs, table, toJson } from '../output.ts';

export const taskCommands: readonly OperationCommand[] = [
  commandOf(listTasksOperation, {
    examples: ['task list', 'task list --state running'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'ID', of: ({ id }) => id },
          { title: 'WHAT', of: ({ operation }) => operation },
          { title: 'STATE', of: ({ state }) => state },
          { title: 'STARTED', of: ({ started_at: at }) => timeText(at) },
          { title: 'BY', of: ({ started_by: by }) => by },
          { title: 'HOW FAR', of: farText },
        ],
        'No long work was started at the console.',
      ),
  }),
  commandOf(showTaskOperation, {
    arguments: ['task'],
    examples: ['task show 0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69'],
    text: ({ output, ...task }) =>
      pairs([
        ['Task', task.id],
        ['What', task.operation],
        ...Object.entries(task.input).map(([name, value]) => [`  ${name}`, String(value)] as const),
        ['State', task.state],
        ['Started', `${timeText(task.started_at)} by ${task.started_by} (${task.principal})`],
        ['How far', farText(task)],
        ...(task.ended_at === null ? [] : [['Ended', timeText(task.ended_at)] as const]),
        ...(task.error === null ? [] : [['Why', task.error] as const]),
        ...(output === null ? [] : [['Answer', toJson(output).replaceAll(/\s+/g, ' ')] as const]),
      ]),
  }),
];

function farText({ progress }: TaskAnswer): string {
  return progress === null ? '' : `${progress.step}: ${progress.done} ${progress.unit}`;
}
