/**
 * Shows the sales of some days by chosen columns, the balances at their end, and whether purchases
 * and ledger agree.
 */
import { Type } from 'typebox';
import { type Clock, formatDay } from '../../../core/clock.ts';
import { environments } from '../../../core/environment.ts';
import { OperationError } from '../../../core/errors.ts';
import { nullableText } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { dayField, environmentField, inputOf, oneOf } from '../../../core/operation-fields.ts';
import type { Database } from '../../../db/database.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { catchUpShortly, type Report, readReportOf } from '../read-report.ts';
import {
  equationAnswer,
  equationOutput,
  positionOutput,
  positionsOf,
  reportRowAnswer,
  reportRowOutput,
  rollUpAnswer,
  rollUpOutput,
  walletEquationOutput,
  walletEquations,
} from '../report-answer.ts';
import { type ReportColumn, reportColumns } from '../report-store.ts';

const column = `(?:${reportColumns.join('|')})`;

export const reportDays = {
  from: Type.Optional({
    ...dayField,
    description: 'the first day in Lagos, such as 2026-11-21; by default, the last day',
  }),
  to: Type.Optional({
    ...dayField,
    description: 'the last day in Lagos, such as 2026-11-30; by default, today',
  }),
  environment: oneOf(environments, { default: 'live' }),
};

const input = inputOf({
  ...reportDays,
  by: Type.Optional(
    Type.String({
      description: `one or more of ${reportColumns.join(',')}, separated by commas`,
      pattern: `^${column}(?:,${column})*$`,
    }),
  ),
  limit: Type.Integer({
    description: 'a whole number from 1 to 1000',
    minimum: 1,
    maximum: 1_000,
    default: 1_000,
  }),
  at_once: Type.Optional(
    Type.Boolean({
      description: 'true to answer from what is already rolled up without waiting for the rest',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ description: 'the cursor of the previous page', minLength: 2, maxLength: 1_000 }),
  ),
});

export const showReportOperation = defineOperation({
  name: 'report.show',
  kind: 'question',
  summary: 'show sales, revenue and timing of some days, and the balances at their end',
  roles,
  route: 'GET /report',
  document: 'operators/reports.md',
  input,
  output: Type.Object({
    environment: environmentField,
    from: Type.String(),
    to: Type.String(),
    by: Type.Array(oneOf(reportColumns)),
    added_up: rollUpOutput,
    /** One for each currency. */
    totals: Type.Array(reportRowOutput),
    /** Empty without columns: then the totals are the report. */
    rows: Type.Array(reportRowOutput),
    /** At the end of the last day. */
    positions: Type.Array(positionOutput),
    /** The sums of purchases and of the ledger. */
    equations: Type.Array(equationOutput),
    /** The equation of all wallets. */
    wallets: Type.Array(walletEquationOutput),
    agrees: Type.Boolean(),
    cursor: nullableText,
  }),
  run: async (
    { sql, database, clock }: Asking & { readonly database: Database; readonly clock: Clock },
    { environment, by = '', limit, at_once: isAtOnce = false, cursor, ...period },
  ) => {
    const days = { environment, ...daysOf(period, clock.now()) };
    const columns = reportColumns.filter((name) => by.split(',').includes(name));
    const after = cursor === undefined ? undefined : readCursor(cursor, columns);
    if (!isAtOnce) await catchUpShortly(database);
    const report = await sql.transaction(
      (tx) => readReportOf(tx, days, columns, { after, limit: limit + 1 }, clock.now()),
      { isolation: 'repeatable read', readOnly: true },
    );
    return { ...days, by: columns, ...answerOf(report, columns, limit) };
  },
});

/** Reads the range of days. Throws OperationError `days_backwards`. */
export function daysOf(
  { from, to }: { readonly from?: string; readonly to?: string },
  now: Date,
): { readonly from: string; readonly to: string } {
  const last = to ?? formatDay(now);
  const first = from ?? last;
  if (first > last) throw new OperationError({ code: 'days_backwards', from: first, to: last });
  return { from: first, to: last };
}

function answerOf(report: Report, columns: readonly ReportColumn[], limit: number) {
  const { state, totals, opening, closing, flows } = report;
  const rows = columns.length === 0 ? [] : report.rows.slice(0, limit);
  const last = rows.at(-1);
  const equations = report.equations.map(equationAnswer);
  const wallets = walletEquations(opening, closing, flows);
  return {
    added_up: rollUpAnswer(state),
    totals: totals.map(reportRowAnswer),
    rows: rows.map(reportRowAnswer),
    positions: positionsOf(closing),
    equations,
    wallets,
    agrees: [...equations, ...wallets].every(({ equal }) => equal),
    cursor:
      columns.length > 0 && report.rows.length > limit && last !== undefined
        ? JSON.stringify([...columns.map((name) => last[name]), last.currency])
        : null,
  };
}

/** Reads a cursor. Throws OperationError `no_such_cursor`. */
function readCursor(cursor: string, columns: readonly ReportColumn[]): string[] {
  const values = parsed(cursor);
  if (
    !Array.isArray(values) ||
    values.length !== columns.length + 1 ||
    !values.every((value) => typeof value === 'string' && !/\p{Cc}/u.test(value))
  ) {
    throw new OperationError({ code: 'no_such_cursor', cursor });
  }
  return values;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
