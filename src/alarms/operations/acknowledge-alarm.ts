/**
 * Records that an operator has looked at an alarm. The audit then counts what the alarm is about as
 * accounted for.
 */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import type { Tx } from '../../db/database.ts';
import type { ActorOrName } from '../../kernel/actor.ts';
import { OperationError } from '../../kernel/errors.ts';
import { lockAlarm, updateAcknowledged } from '../alarm-store.ts';

/** Throws OperationError `no_alarm`. `changed` is false when it was acknowledged already. */
export async function acknowledgeAlarm(
  tx: Tx,
  id: bigint,
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
    after: { acknowledged: true },
  });
  return { changed: true };
}
