/** Lists the audit log, newest first, filtered by actor, action, subject and time. */

import { Type } from 'typebox';
import { edges } from '../../../core/actor.ts';
import { formatRfc3339, nextDay, parseDay } from '../../../core/clock.ts';
import { OperationError } from '../../../core/errors.ts';
import { nullable, nullableText } from '../../../core/nullable.ts';
import { defineOperation, supportersAndTreasurers } from '../../../core/operation.ts';
import {
  dayField,
  inputOf,
  oneOf,
  pageFields,
  pageOf,
  text,
  timeOutput,
} from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import type { Asking } from '../acting.ts';
import { listAuditEntries } from '../audit-log-store.ts';

const state = nullable(Type.Record(Type.String(), Type.Unknown()));

export const listAuditLogOperation = defineOperation({
  name: 'audit_log.list',
  kind: 'question',
  summary: 'list who changed what, newest first, with the values before and after',
  roles: supportersAndTreasurers,
  listsPeople: true,
  route: 'GET /audit-log',
  document: 'operators/audit-log.md',
  input: inputOf({
    actor: Type.Optional(text('the display name of the actor')),
    principal: Type.Optional(text('the authenticated identity, as in the list')),
    edge: Type.Optional(oneOf(edges)),
    action: Type.Optional(text('an action, or all of a kind: wallet.set_floor, wallet')),
    subject: Type.Optional(text('the subject, as in the list', { maxLength: 500 })),
    from: Type.Optional(dayField),
    to: Type.Optional(dayField),
    ...pageFields,
  }),
  output: pageOf(
    Type.Object({
      id: Type.String(),
      at: timeOutput,
      actor: Type.String(),
      principal: nullableText,
      edge: nullableText,
      action: Type.String(),
      subject: Type.String(),
      before: state,
      after: state,
    }),
  ),
  run: async ({ sql }: Asking, { limit = 50, cursor, from, to, ...filter }) => {
    const after = readCursor(cursor);
    const period = readPeriod({ from, to });
    const found = await listAuditEntries(sql, { ...filter, ...period, after, limit: limit + 1 });
    return pageOfRead(
      found,
      limit,
      ({ id }) => String(id),
      ({ id, at, ...entry }) => ({ id: String(id), at: formatRfc3339(at), ...entry }),
    );
  },
});

/** The id of the entry before. */
function readCursor(cursor: string | undefined): bigint | undefined {
  if (cursor === undefined) return undefined;
  if (/^-?[0-9]{1,18}$/.test(cursor)) return BigInt(cursor);
  const fault = { field: 'cursor', kind: 'wrong', wanted: 'the cursor of the previous page' } as const;
  throw new OperationError({ code: 'input_malformed', errors: [fault] });
}

/** Returns a half-open period: the first time is included, the second is not. */
type Period = { readonly from: Date | undefined; readonly to: Date | undefined };

type Days = { readonly from?: string | undefined; readonly to?: string | undefined };

/** Throws OperationError `input_malformed` for a day that the calendar does not have. */
export function readPeriod({ from, to }: Days): Period {
  const last = readDay('to', to);
  return { from: readDay('from', from), to: last && nextDay(last) };
}

function readDay(field: keyof Days, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const day = parseDay(text);
  if (day === undefined) {
    const fault = { field, kind: 'wrong', wanted: 'a day such as 2026-11-21' } as const;
    throw new OperationError({ code: 'input_malformed', errors: [fault] });
  }
  return day;
}
