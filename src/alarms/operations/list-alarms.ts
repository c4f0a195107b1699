/** Lists what a person must look at, newest first. */
import { type Static, Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { formatRfc3339 } from '../../kernel/clock.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import {
  inputOf,
  numberedPageFields,
  pageOf,
  timeOrNull,
  timeOutput,
} from '../../kernel/operation-fields.ts';
import { textOrNull } from '../../kernel/or-null.ts';
import { pageOfRead } from '../../kernel/page.ts';
import { type AlarmRow, listAlarms } from '../alarm-store.ts';

const alarmOutput = Type.Object({
  id: Type.String(),
  at: timeOutput,
  kind: Type.String(),
  merchant: textOrNull,
  vend_id: textOrNull,
  message: Type.String(),
  acknowledged_at: timeOrNull,
  /** When it was over; null where that cannot be seen, or it is not. */
  ended_at: timeOrNull,
});

export const listAlarmsOperation = defineOperation({
  name: 'alarm.list',
  kind: 'question',
  summary: 'list the alarms that nobody has acknowledged, newest first',
  roles,
  route: 'GET /alarms',
  document: 'operators/cli.md',
  input: inputOf({
    all: Type.Optional(Type.Boolean({ description: 'true for those that are acknowledged too' })),
    ...numberedPageFields,
  }),
  output: pageOf(alarmOutput),
  run: async ({ sql }: Asking, { all = false, limit = 50, cursor }) => {
    const after = cursor === undefined ? undefined : BigInt(cursor);
    const found = await listAlarms(sql, { acknowledgedToo: all, after, limit: limit + 1 });
    const { data, cursor: next } = pageOfRead(found, limit, ({ id }) => String(id));
    return { data: data.map(alarmAnswer), cursor: next };
  },
});

function alarmAnswer(alarm: AlarmRow): Static<typeof alarmOutput> {
  const { id, at, kind, merchant_code: merchant, vend_id, message, acknowledged_at: acknowledged } = alarm;
  return {
    id: String(id),
    at: formatRfc3339(at),
    kind,
    merchant,
    vend_id,
    message,
    acknowledged_at: acknowledged && formatRfc3339(acknowledged),
    ended_at: alarm.ended_at && formatRfc3339(alarm.ended_at),
  };
}
