/** Lists background tasks with their progress and results. */

import { type Static, Type } from 'typebox';
import { answerOf } from '../../../core/answer.ts';
import { OperationError } from '../../../core/errors.ts';
import { nullable, nullableText } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import {
  idField,
  inputOf,
  nullableTime,
  oneOf,
  pageFields,
  pageOf,
  timeOutput,
} from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { findTask, listTasks, type TaskRow, taskStates } from '../task-store.ts';

const taskOutput = Type.Object({
  id: Type.String(),
  operation: Type.String(),
  state: oneOf(taskStates),
  /** The input without long properties. */
  input: Type.Record(Type.String(), Type.Unknown()),
  /** Whether the input is complete, so that the task can be started again with it. */
  is_whole: Type.Boolean(),
  started_by: Type.String(),
  principal: Type.String(),
  started_at: timeOutput,
  /** The progress. Null before the first report. */
  progress: nullable(Type.Object({ step: Type.String(), done: Type.Integer(), unit: Type.String() })),
  ended_at: nullableTime,
  /** Why the task failed or stopped. */
  error: nullableText,
});

export type TaskAnswer = Static<typeof taskOutput>;

const lost = 'its process ended; completed steps are kept, and you can start the task again';

export function taskAnswer(row: TaskRow): TaskAnswer {
  const { step, done, unit } = row;
  return answerOf(taskOutput, {
    ...row,
    started_by: row.name,
    progress: step === null || done === null || unit === null ? null : { step, done, unit },
    error: row.error ?? (row.state === 'stopped' ? lost : null),
  });
}

export const listTasksOperation = defineOperation({
  name: 'task.list',
  kind: 'question',
  summary: 'list background tasks that were started in the console, newest first',
  roles,
  route: 'GET /tasks',
  document: 'operators/console.md',
  input: inputOf({
    state: Type.Optional(oneOf(taskStates)),
    limit: pageFields.limit,
    cursor: Type.Optional({ ...idField, description: 'the cursor of the previous page' }),
  }),
  output: pageOf(taskOutput),
  run: async ({ sql }: Asking, { state, limit = 50, cursor }) => {
    const rows = await listTasks(sql, { state, before: cursor, limit: limit + 1 });
    return pageOfRead(rows, limit, ({ id }) => id, taskAnswer);
  },
});

export const showTaskOperation = defineOperation({
  name: 'task.show',
  kind: 'question',
  summary: 'show a background task with its progress or result',
  roles,
  route: 'GET /tasks/{task}',
  document: 'operators/console.md',
  input: inputOf({ task: { ...idField, description: 'the id of a background task' } }),
  output: Type.Object({
    ...taskOutput.properties,
    /** The output of the operation. Null until it is done, or if it was too large to store. */
    output: Type.Unknown(),
  }),
  run: async ({ sql }: Asking, { task: id }) => {
    const found = await findTask(sql, id);
    if (found === undefined) throw new OperationError({ code: 'no_task', task: id });
    return { ...taskAnswer(found), output: found.output };
  },
});
