/**
 * Records that an operator has looked at an alarm. The audit then counts what the alarm is about as
 * accounted for.
 */

import { Type } from 'typebox';
import type { Acting } from '../../audit-log/acting.ts';
import { recordOperation } from '../../audit-log/audit-log-store.ts';
import type { Tx } from '../../db/database.ts';
import type { ActorOrName } from '../../kernel/actor.ts';
import { OperationError } from '../../kernel/errors.ts';
import { defineOperation, supporters } from '../../kernel/operation.ts';
import { inputOf, text } from '../../kernel/operation-fields.ts';
import { lockAlarm, updateAcknowledged } from '../alarm-store.ts';

/**
 * `note`: what was found, for the audit log. Throws OperationError `no_alarm`. `changed` is false
 * when it was acknowledged already.
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
  summary: 'note that you have looked at an alarm and dealt with it',
  roles: supporters,
  withoutStepUp: true,
  route: 'POST /alarms/{id}/acknowledge',
  document: 'operators/cli.md',
  input: inputOf({
    id: Type.String({ description: 'the number of an alarm, as the list has it', pattern: '^[0-9]{1,18}$' }),
    note: Type.Optional(
      text('what was found and done, in 1 to 500 characters of plain text: kept in the audit log', {
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
