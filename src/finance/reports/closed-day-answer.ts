/** Schema and mapper of a closed day, as operations answer it. */

import { type Static, Type } from 'typebox';
import { answerOf } from '../../core/answer.ts';
import { amountOutput, currencyField, environmentField, timeOutput } from '../../core/operation-fields.ts';
import type { ClosedDay } from './closed-day-store.ts';

export const closedDayOutput = Type.Object({
  environment: environmentField,
  day: Type.String(),
  closed_at: timeOutput,
  closed_by: Type.String(),
  /** At the end of the day. */
  pending: Type.Array(
    Type.Object({
      currency: currencyField,
      purchases: Type.Integer(),
      held: amountOutput,
      over_30s: Type.Integer(),
      over_24h: Type.Integer(),
    }),
  ),
  /** The last link of the audit log's chain at the closing. */
  audit_log: Type.Object({ position: Type.String(), hash: Type.String() }),
  figures_hash: Type.String(),
  previous_hash: Type.String(),
  hash: Type.String(),
});

export function closedDayAnswer(closed: ClosedDay): Static<typeof closedDayOutput> {
  return answerOf(closedDayOutput, {
    ...closed,
    pending: closed.pending.map(({ currency, count, held, over_30s: over30s, over_24h: over24h }) => ({
      currency,
      purchases: Number(count),
      held: BigInt(held),
      over_30s: Number(over30s),
      over_24h: Number(over24h),
    })),
    audit_log: { position: String(closed.audit_position), hash: closed.audit_hash },
  });
}
