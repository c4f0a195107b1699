/** Lists and acknowledges alarms. */

import { type Static, Type } from 'typebox';
import { actionOutput } from '../../../core/action.ts';
import type { ActorOrName } from '../../../core/actor.ts';
import { answerOf } from '../../../core/answer.ts';
import { OperationError } from '../../../core/errors.ts';
import { nullableText } from '../../../core/nullable.ts';
import { defineOperation, roles, supporters } from '../../../core/operation.ts';
import {
  inputOf,
  nullableTime,
  numberedPageFields,
  pageOf,
  text,
  timeOutput,
} from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import type { Tx } from '../../../db/database.ts';
import type { Acting, Asking } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { dealWith } from '../alarm-actions.ts';
import { type AlarmRow, listAlarms, lockAlarm, updateAcknowledged } from '../alarm-store.ts';

const alarmOutput = Type.Object({
  id: Type.String(),
  at: timeOutput,
  kind: Type.String(),
  merchant: nullableText,
  purchase_id: nullableText,
  provider: nullableText,
  message: Type.String(),
  acknowledged_at: nullableTime,
  /** When the condition ended. Null while it lasts, or if its end cannot be detected. */
  ended_at: nullableTime,
  /** The operations that deal with it, the likeliest first. */
  actions: Type.Array(actionOutput),
  /** Advice if no operation deals with it. */
  advice: nullableText,
});

export const listAlarmsOperation = defineOperation({
  name: 'alarm.list',
  kind: 'question',
  summary: 'list alarms that are not acknowledged, newest first',
  roles,
  route: 'GET /alarms',
  document: 'operators/alerts.md',
  input: inputOf({
    all: Type.Optional(Type.Boolean({ description: 'true to include acknowledged alarms' })),
    ...numberedPageFields,
  }),
  output: pageOf(alarmOutput),
  run: async ({ sql }: Asking, { all = false, limit = 50, cursor }) => {
    const after = cursor === undefined ? undefined : BigInt(cursor);
    const found = await listAlarms(sql, { acknowledgedToo: all, after, limit: limit + 1 });
    return pageOfRead(found, limit, ({ id }) => String(id), alarmAnswer);
  },
});

function alarmAnswer(alarm: AlarmRow): Static<typeof alarmOutput> {
  const { kind, merchant_code: merchant, purchase_id: purchase, provider, subject_id: subject } = alarm;
  const { sold_environment: environment, sold_product: product, sold_network: network } = alarm;
  const sold = environment && product && network ? { environment, product, network } : undefined;
  return answerOf(alarmOutput, {
    ...alarm,
    id: String(alarm.id),
    merchant,
    ...dealWith(kind, { purchase, merchant, provider, subject, ...(sold && { sold }) }),
  });
}

/**
 * Acknowledges an alarm. `note` is the operator's finding, for the audit log. `changed` is false
 * when the alarm was acknowledged before. Throws OperationError `no_alarm`.
 */
async function acknowledgeAlarm(
  tx: Tx,
  id: bigint,
  note: string | undefined,
  actor: ActorOrName,
): Promise<{ readonly changed: boolean }> {
  const alarm = await lockAlarm(tx, id);
  if (alarm === undefined) throw new OperationError({ code: 'no_alarm', alarm: id });
  if (alarm.acknowledged_at !== null) return { changed: false };
  await updateAcknowledged(tx, id);
  await recordOperation(tx, {
    actor,
    action: 'alarm.acknowledge',
    subject: `alarm:${id}`,
    before: { acknowledged: false },
    after: note === undefined ? { acknowledged: true } : { acknowledged: true, note },
  });
  return { changed: true };
}

export const acknowledgeAlarmOperation = defineOperation({
  name: 'alarm.acknowledge',
  kind: 'act',
  summary: 'acknowledge an alarm that you have dealt with',
  roles: supporters,
  withoutStepUp: true,
  route: 'POST /alarms/{id}/acknowledge',
  document: 'operators/alerts.md',
  input: inputOf({
    id: Type.String({ description: 'the id of an alarm, from the list', pattern: '^[0-9]{1,18}$' }),
    note: Type.Optional(
      text('your findings and actions, in 1 to 500 characters of plain text: kept in the audit log', {
        maxLength: 500,
      }),
    ),
  }),
  output: Type.Object({ id: Type.String(), acknowledged: Type.Literal(true), changed: Type.Boolean() }),
  run: async ({ tx, actor }: Acting, { id, note }) => {
    const { changed } = await acknowledgeAlarm(tx, BigInt(id), note, actor);
    return { id, acknowledged: true as const, changed };
  },
});
