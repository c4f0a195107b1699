/** Lists long work: what runs, and what came of what ran. */

import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { OperationError } from '../../kernel/errors.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { idField, inputOf, oneOf, pageFields, pageOf } from '../../kernel/operation-fields.ts';
import { pageOfRead } from '../../kernel/page.ts';
import { taskAnswer, taskOutput } from '../task-answer.ts';
import { findTask, listTasks, taskStates } from '../task-store.ts';

export const listTasksOperation = defineOperation({
  name: 'task.list',
  kind: 'question',
  summary: 'list long work that was started at the console, newest first: what runs, and what came of it',
  roles,
  route: 'GET /tasks',
  document: 'operators/screens.md',
  input: inputOf({
    state: Type.Optional(oneOf(taskStates)),
    limit: pageFields.limit,
    cursor: Type.Optional({ ...idField, description: 'the cursor of the page before' }),
  }),
  output: pageOf(taskOutput),
  run: async ({ sql }: Asking, { state, limit = 50, cursor }) => {
    const rows = await listTasks(sql, { state, before: cursor, limit: limit + 1 });
    const page = pageOfRead(rows, limit, ({ id }) => id);
    return { data: page.data.map(taskAnswer), cursor: page.cursor };
  },
});

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
