/**
 * Sets the restore lock: no live purchase is accepted, and nothing is sent to a provider, until an
 * operator removes it. Setting it again extends it to the earlier of the two times.
 */

import { type ActorOrName, actorOf } from '../../core/actor.ts';
import { formatRfc3339 } from '../../core/clock.ts';
import { newId } from '../../core/ids.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import { insertAlarm } from '../../notifications/alarms/alarm-store.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import {
  insertRestoreLock,
  lockRestoreLock,
  type RestoreLockCause,
  widenRestoreLock,
} from '../../purchases/engine/restore-lock-store.ts';
import { endAccess } from './end-access-store.ts';

export type NewRestoreLock = {
  readonly cause: RestoreLockCause;
  /** Identifies the incident: the lock is set once for each. */
  readonly source: string;
  readonly reason: string;
  /** Data stored after this time may be missing. */
  readonly lostFrom: Date;
  /** Keeps sessions, links, tokens and keys, because no database was restored. */
  readonly keepsAccess?: boolean;
};

/** Sets the lock. Returns false, without a change, if it was set for the same source before. */
export async function setRestoreLock(tx: Tx, lock: NewRestoreLock, actor: ActorOrName): Promise<boolean> {
  const present = await lockRestoreLock(tx);
  const { cause, reason, lostFrom } = lock;
  const raisedBy = actorOf(actor).name;
  const id = newId();
  if (!(await insertRestoreLock(tx, { ...lock, id, raisedBy, isNote: present !== undefined }))) return false;
  if (present !== undefined) await widenRestoreLock(tx, present.id, lostFrom);
  await insertAlarm(tx, {
    kind: 'restore_lock',
    merchantId: undefined,
    message: `Live purchases are paused: ${reason}. See docs/operators/restore.md.`,
  });
  await recordOperation(tx, {
    actor,
    action: 'restore.lock',
    subject: `restore_lock:${present?.id ?? id}`,
    after: { cause, reason, lost_from: formatRfc3339(lostFrom) },
  });
  if (lock.keepsAccess !== true) await endAccess(tx, actor);
  await announceChange(tx, 'restore_lock');
  return true;
}
