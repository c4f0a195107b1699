/**
 * Raises the restore fence: from then on nothing is sold with live credentials, and nothing is sent
 * to a provider, until somebody opens it. Raised again while it is up, it covers the earlier of the
 * two times.
 */

import { type ActorOrName, actorOf } from '../../core/actor.ts';
import { formatRfc3339 } from '../../core/clock.ts';
import { newId } from '../../core/ids.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import { insertAlarm } from '../../notifications/alarms/alarm-store.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { type FenceCause, insertFence, lockFence, widenFence } from '../../purchases/engine/fence-store.ts';
import { endAccess } from './end-access-store.ts';

export type FenceToRaise = {
  readonly cause: FenceCause;
  /** What it is raised for: for the same it is raised once. */
  readonly source: string;
  readonly reason: string;
  /** What was stored after this may be missing. */
  readonly lostFrom: Date;
  /** Sessions, links, tokens and keys stay as they are: nothing was restored. */
  readonly keepsAccess?: boolean;
};

/** False where it was raised for the same before: it stays as it is, up or not. */
export async function raiseFence(tx: Tx, fence: FenceToRaise, actor: ActorOrName): Promise<boolean> {
  const present = await lockFence(tx);
  const { cause, reason, lostFrom } = fence;
  const raisedBy = actorOf(actor).name;
  const id = newId();
  if (!(await insertFence(tx, { ...fence, id, raisedBy, isNote: present !== undefined }))) return false;
  if (present !== undefined) await widenFence(tx, present.id, lostFrom);
  await insertAlarm(tx, {
    kind: 'restore_fence',
    merchantId: undefined,
    message: `nothing is sold: ${reason}; see docs/operators/restore.md`,
  });
  await recordOperation(tx, {
    actor,
    action: 'restore.fence',
    subject: `restore_fence:${present?.id ?? id}`,
    after: { cause, reason, lost_from: formatRfc3339(lostFrom) },
  });
  if (fence.keepsAccess !== true) await endAccess(tx, actor);
  await announceChange(tx, 'fence');
  return true;
}
