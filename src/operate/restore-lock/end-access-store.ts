/**
 * Ends the access that a restored database would give again: a session, a link or a token that was
 * ended in the lost time is open in it. Keys of merchants wait until an operator confirms them.
 */

import type { ActorOrName } from '../../core/actor.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import { markUnconfirmed } from '../../merchants/unconfirmed-store.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';

export async function endAccess(tx: Tx, actor: ActorOrName): Promise<void> {
  await tx.query("update user_sessions set ended_at = now(), ended_by = 'restored' where ended_at is null");
  await tx.query('delete from user_links where used_at is null');
  await tx.query('update access_tokens set revoked_at = now() where revoked_at is null');
  await markUnconfirmed(tx);
  await recordOperation(tx, { actor, action: 'restore.end_access', subject: 'installation' });
  await announceChange(tx, 'credentials');
}
