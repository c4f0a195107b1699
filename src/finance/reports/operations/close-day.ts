/** Closes a Lagos day (../close-day.ts). A repeated call answers that the day is closed. */
import { Type } from 'typebox';
import { environments } from '../../../core/environment.ts';
import { defineOperation, treasurers } from '../../../core/operation.ts';
import { dayField, inputOf, oneOf } from '../../../core/operation-fields.ts';
import type { OnProgress } from '../../../core/progress.ts';
import type { Tasking } from '../../../oversight/log/acting.ts';
import { closeDay } from '../close-day.ts';
import { closedDayAnswer, closedDayOutput } from '../closed-day-answer.ts';

export const closedDayFields = {
  day: { ...dayField, description: 'a day such as 2026-11-21, in Lagos' },
  environment: oneOf(environments, { default: 'live' }),
};

export const closeDayOperation = defineOperation({
  name: 'day.close',
  kind: 'task',
  summary: 'close a day: freeze its report with a hash, once it is rolled up and agrees with the ledger',
  roles: treasurers,
  route: 'POST /days/{day}/close',
  isLong: true,
  document: 'operators/reports.md',
  input: inputOf(closedDayFields),
  output: Type.Object({ ...closedDayOutput.properties, changed: Type.Boolean() }),
  run: async ({ database, actor, onProgress }: Tasking & { readonly onProgress?: OnProgress }, chosen) => {
    const { closed, changed } = await closeDay(database, chosen, actor, onProgress);
    return { ...closedDayAnswer(closed), changed };
  },
});
