/** Lists closed days. */
import { Type } from 'typebox';
import { environments } from '../../../core/environment.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { dayField, inputOf, oneOf, pageFields, pageOf } from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { closedDayAnswer, closedDayOutput } from '../closed-day-answer.ts';
import { listClosedDays } from '../closed-day-store.ts';

export const listDaysOperation = defineOperation({
  name: 'day.list',
  kind: 'question',
  summary: 'list closed days, newest first',
  roles,
  route: 'GET /days',
  document: 'operators/reports.md',
  input: inputOf({
    environment: oneOf(environments, { default: 'live' }),
    limit: pageFields.limit,
    cursor: Type.Optional(dayField),
  }),
  output: pageOf(closedDayOutput),
  run: async ({ sql }: Asking, { environment, limit = 50, cursor: before }) => {
    const days = await listClosedDays(sql, environment, { before, limit: limit + 1 });
    return pageOfRead(days.map(closedDayAnswer), limit, ({ day }) => day);
  },
});
