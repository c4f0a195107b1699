/**
 * Shows the sales of each day in a range, from the rolled-up sums. It has totals without balances,
 * so a long range costs little.
 */
import { Type } from 'typebox';
import type { Clock } from '../../../core/clock.ts';
import { environments } from '../../../core/environment.ts';
import { OperationError } from '../../../core/errors.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { environmentField, inputOf, oneOf } from '../../../core/operation-fields.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { dayAfter } from '../days.ts';
import { rolledUp } from '../read-report.ts';
import { reportRowAnswer, reportRowOutput, rollUpAnswer, rollUpOutput } from '../report-answer.ts';
import { readReport } from '../report-store.ts';
import { readCheckpoint } from '../roll-up-store.ts';
import { daysOf, reportDays } from './show-report.ts';

const DAYS_MAX = 31;
/** More than there are currencies. */
const TOTALS_MAX = 100;

export const showDaySalesOperation = defineOperation({
  name: 'day.sales',
  kind: 'question',
  summary: 'show the total sales of each day in a range',
  roles,
  route: 'GET /day-sales',
  document: 'operators/reports.md',
  input: inputOf({ ...reportDays, environment: oneOf(environments, { default: 'live' }) }),
  output: Type.Object({
    environment: environmentField,
    from: Type.String(),
    to: Type.String(),
    added_up: rollUpOutput,
    /** Each day has one total for each currency with sales. */
    days: Type.Array(Type.Object({ day: Type.String(), totals: Type.Array(reportRowOutput) })),
  }),
  run: async ({ sql, clock }: Asking & { readonly clock: Clock }, { environment, ...period }) => {
    const now = clock.now();
    const { from, to } = daysOf(period, now);
    const days = eachDay(from, to);
    return await sql.transaction(
      async (tx) => {
        const state = rolledUp(await readCheckpoint(tx), { environment, from, to }, now);
        const sold = [];
        for (const day of days) {
          const one = { environment, from: day, to: day };
          const totals = await readReport(tx, one, [], { after: undefined, limit: TOTALS_MAX });
          sold.push({ day, totals: totals.map(reportRowAnswer) });
        }
        return { environment, from, to, added_up: rollUpAnswer(state), days: sold };
      },
      { isolation: 'repeatable read', readOnly: true },
    );
  },
});

/** Throws OperationError `input_malformed` for more than `DAYS_MAX`. */
function eachDay(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = dayAfter(day)) {
    if (days.push(day) <= DAYS_MAX) continue;
    const wanted = `${DAYS_MAX - 1} days before the last day, or later`;
    throw new OperationError({ code: 'input_malformed', errors: [{ field: 'from', kind: 'wrong', wanted }] });
  }
  return days;
}
