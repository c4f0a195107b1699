/**
 * SQL that ends all access of a restored database, in which sessions, links and tokens that ended
 * in the lost time are valid again. Merchants' keys wait until an operator confirms them. Batches
 * are paused, because they would buy rows again that were bought in the lost time.
 */

import type { ActorOrName } from '../../core/actor.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import { markUnconfirmed } from '../../merchants/unconfirmed-store.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { pauseRunningBatches } from '../../purchases/batches/batch-store.ts';

export async function endAccess(tx: Tx, actor: ActorOrName): Promise<void> {
  await tx.query("update user_sessions set ended_at = now(), ended_by = 'restored' where ended_at is null");
  await tx.query('delete from user_links where used_at is null');
  await tx.query('update access_tokens set revoked_at = now() where revoked_at is null');
  await markUnconfirmed(tx);
  await pauseRunningBatches(tx);
  await recordOperation(tx, { actor, action: 'restore.end_access', subject: 'installation' });
  await announceChange(tx, 'credentials');
}
