/** Long work as operations answer it. */
import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../kernel/clock.ts';
import { oneOf, timeOrNull, timeOutput } from '../kernel/operation-fields.ts';
import { orNull, textOrNull } from '../kernel/or-null.ts';
import { type TaskRow, taskStates } from './task-store.ts';

export const taskOutput = Type.Object({
  id: Type.String(),
  operation: Type.String(),
  state: oneOf(taskStates),
  /** What it was asked for, without what is long. */
  input: Type.Record(Type.String(), Type.Unknown()),
  /** The input has all that it was started with: it can be started again by it. */
  is_whole: Type.Boolean(),
  started_by: Type.String(),
  principal: Type.String(),
  started_at: timeOutput,
  /** How far it is, in its own words; null before it has told any. */
  progress: orNull(Type.Object({ step: Type.String(), done: Type.Integer(), unit: Type.String() })),
  ended_at: timeOrNull,
  /** Why it failed or stopped. */
  error: textOrNull,
});

export type TaskAnswer = Static<typeof taskOutput>;

const lost = 'its process ended: what it had done by then stays done, and it can be started again';

export function taskAnswer(row: TaskRow): TaskAnswer {
  const { step, done, unit } = row;
  return {
    id: row.id,
    operation: row.operation,
    state: row.state,
    input: row.input,
    is_whole: row.is_whole,
    started_by: row.name,
    principal: row.principal,
    started_at: formatRfc3339(row.started_at),
    progress: step === null || done === null || unit === null ? null : { step, done: Number(done), unit },
    ended_at: row.ended_at && formatRfc3339(row.ended_at),
    error: row.error ?? (row.state === 'stopped' ? lost : null),
  };
}
