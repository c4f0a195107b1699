/** Lists long work: what runs, and what came of what ran. */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { idField, inputOf, oneOf, pageFields, pageOf } from '../../kernel/operation-fields.ts';
import { pageOfRead } from '../../kernel/page.ts';
import { taskAnswer, taskOutput } from '../task-answer.ts';
import { listTasks, taskStates } from '../task-store.ts';

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
