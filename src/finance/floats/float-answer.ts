/** Schemas and mappers of floats, as operations answer them. */

import { Type } from 'typebox';
import { accountOutput } from '../../core/account-names.ts';
import { answerOf } from '../../core/answer.ts';
import { nullable, nullableText } from '../../core/nullable.ts';
import {
  amountOutput,
  environmentField,
  nullableAmount,
  oneOf,
  timeOutput,
} from '../../core/operation-fields.ts';
import type { FloatStatus } from './float-status.ts';
import type { FloatLimits } from './float-store.ts';
import type { MovementRow } from './movement-store.ts';
import { DEFAULT_HOURS } from './watch-floats.ts';

export const limitsOutput = Type.Object({
  provider: accountOutput,
  hours: Type.Integer(),
  amount: nullableAmount,
  drift: nullableAmount,
  pause_below: nullableAmount,
});

export function limitsAnswer(limits: FloatLimits) {
  return answerOf(limitsOutput, { ...limits, hours: limits.hours ?? DEFAULT_HOURS });
}

export const floatOutput = Type.Object({
  provider: accountOutput,
  environment: environmentField,
  /** The balance by the books, in naira. */
  expected: amountOutput,
  /** Whether a top-up was ever booked. Before that the books only contain the spending. */
  opened: Type.Boolean(),
  reported: nullable(
    Type.Object({
      amount: amountOutput,
      currency: Type.String(),
      /** At the newest rate; null without one. */
      naira: nullableAmount,
      age_seconds: Type.Integer(),
    }),
  ),
  /** The time since the balance was last readable. */
  failing_seconds: Type.Integer(),
  /** The possible cost of pending purchases there so far. */
  under_way: amountOutput,
  /** Reported less expected. */
  difference: nullableAmount,
  differs: Type.Boolean(),
  drift: amountOutput,
  spent_24h: amountOutput,
  runway: Type.Object({
    /** Null if no spending is known, or the float lasts for more than two weeks. */
    hours: nullable(Type.Number()),
    over_two_weeks: Type.Boolean(),
    by: oneOf(['hour_of_day', 'mean', 'nothing'] as const),
    hours_known: Type.Integer(),
    of: oneOf(['reported', 'expected'] as const),
  }),
  alarm: limitsOutput,
  troubles: Type.Array(Type.Object({ kind: Type.String(), since: timeOutput })),
});

export function floatAnswer(status: FloatStatus) {
  const { reported, runway } = status;
  const hours = runway.hours;
  const isBounded = hours !== undefined && Number.isFinite(hours);
  return answerOf(floatOutput, {
    ...status,
    opened: status.isOpened,
    reported: reported && {
      ...reported,
      naira: status.reportedKobo,
      age_seconds: Math.round((status.reportedAgeMs ?? 0) / 1_000),
    },
    failing_seconds: Math.round(status.failingMs / 1_000),
    under_way: status.underWay,
    spent_24h: status.spent24h,
    runway: {
      hours: isBounded ? Math.round(hours * 10) / 10 : null,
      over_two_weeks: hours === Number.POSITIVE_INFINITY,
      by: runway.by,
      hours_known: runway.hoursKnown,
      of: status.runwayOf,
    },
    alarm: limitsAnswer(status.limits),
  });
}

export const movementOutput = Type.Object({
  id: Type.String(),
  kind: oneOf(['top_up', 'charge'] as const),
  /** In naira. */
  amount: amountOutput,
  foreign: nullable(Type.Object({ amount: amountOutput, currency: Type.String() })),
  account: Type.String(),
  reference: nullableText,
  reason: Type.String(),
  moved_at: timeOutput,
  booked_by: Type.String(),
  booked_at: timeOutput,
});

export function movementAnswer(row: MovementRow) {
  const { foreign_amount: amount, foreign_currency: currency } = row;
  return answerOf(movementOutput, {
    ...row,
    foreign: amount === null || currency === null ? null : { amount, currency },
    account: row.other_account,
    booked_at: row.at,
  });
}
