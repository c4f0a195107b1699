/** Shows a closed day: its frozen report, whether that is unchanged, and later entries. */
import { Type } from 'typebox';
import type { Clock } from '../../../core/clock.ts';
import { OperationError } from '../../../core/errors.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { amountOutput, currencyField, inputOf } from '../../../core/operation-fields.ts';
import type { Database } from '../../../db/database.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { closedDayAnswer, closedDayOutput } from '../closed-day-answer.ts';
import { findClosedDay, isIntact, listLater } from '../closed-day-store.ts';
import { catchUpShortly, readReportOf } from '../read-report.ts';
import {
  equationAnswer,
  equationOutput,
  positionOutput,
  positionsOf,
  reportRowAnswer,
  reportRowOutput,
} from '../report-answer.ts';
import { closedDayFields } from './close-day.ts';

const { pending: _, ...closedFields } = closedDayOutput.properties;

export const showDayOperation = defineOperation({
  name: 'day.show',
  kind: 'question',
  summary: 'show a closed day: its frozen report, and later bookings for its purchases',
  roles,
  route: 'GET /days/{day}',
  document: 'operators/reports.md',
  input: inputOf(closedDayFields),
  output: Type.Object({
    ...closedFields,
    /** Whether the figures are unchanged. */
    intact: Type.Boolean(),
    /** One for each currency. */
    totals: Type.Array(reportRowOutput),
    positions: Type.Array(positionOutput),
    equations: Type.Array(equationOutput),
    later: Type.Array(
      Type.Object({
        day: Type.String(),
        kind: Type.String(),
        merchant: Type.String(),
        currency: currencyField,
        count: Type.Integer(),
        amount: amountOutput,
      }),
    ),
  }),
  run: async (
    { sql, database, clock }: Asking & { readonly database: Database; readonly clock: Clock },
    { environment, day },
  ) => {
    // Includes the most recent bookings.
    await catchUpShortly(database);
    return await sql.transaction(
      async (tx) => {
        const found = await findClosedDay(tx, environment, day);
        if (found === undefined) throw new OperationError({ code: 'day_not_closed', day, environment });
        const { pending, ...closed } = closedDayAnswer(found);
        const days = { environment, from: day, to: day };
        const report = await readReportOf(tx, days, [], { after: undefined, limit: 1 }, clock.now());
        return {
          ...closed,
          intact: await isIntact(tx, environment, day),
          totals: report.totals.map((row) => {
            const own = pending.find(({ currency }) => currency === row.currency);
            return {
              ...reportRowAnswer(row),
              pending: own?.purchases ?? 0,
              pending_held: own?.held ?? '0.00',
              pending_over_30s: own?.over_30s ?? 0,
              pending_over_24h: own?.over_24h ?? 0,
            };
          }),
          positions: positionsOf(report.closing),
          equations: report.equations.map(equationAnswer),
          later: await listLater(tx, environment, day),
        };
      },
      { isolation: 'repeatable read', readOnly: true },
    );
  },
});
