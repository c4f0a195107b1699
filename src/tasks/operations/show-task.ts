/** Shows one piece of long work: how far it is or, once it has ended, what it answered. */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { OperationError } from '../../kernel/errors.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { idField, inputOf } from '../../kernel/operation-fields.ts';
import { taskAnswer, taskOutput } from '../task-answer.ts';
import { findTask } from '../task-store.ts';

export const showTaskOperation = defineOperation({
  name: 'task.show',
  kind: 'question',
  summary: 'show long work that was started at the console: how far it is, or what it answered',
  roles,
  route: 'GET /tasks/{task}',
  document: 'operators/screens.md',
  input: inputOf({ task: { ...idField, description: 'the id of a piece of long work' } }),
  output: Type.Object({
    ...taskOutput.properties,
    /** What the operation answered; null until it is done, or where it was too much to store. */
    output: Type.Unknown(),
  }),
  run: async ({ sql }: Asking, { task: id }) => {
    const found = await findTask(sql, id);
    if (found === undefined) throw new OperationError({ code: 'no_task', task: id });
    return { ...taskAnswer(found), output: found.output };
  },
});
