/**
 * Ends what a restored database lets people in by: a session, a link or a token that was ended in
 * the lost time works again there. Keys of merchants wait for an operator's confirmation.
 */
import { revokeAllTokens } from '../access/access-token-store.ts';
import { recordOperation } from '../audit-log/audit-log-store.ts';
import { announceChange } from '../db/change-notice-store.ts';
import type { Tx } from '../db/database.ts';
import type { ActorOrName } from '../kernel/actor.ts';
import { markUnconfirmed } from '../merchants/unconfirmed-store.ts';
import { deleteAllLinks } from '../users/link-store.ts';
import { endAllSessions } from '../users/session-store.ts';

export async function endAccess(tx: Tx, actor: ActorOrName): Promise<void> {
  await endAllSessions(tx, 'restored');
  await deleteAllLinks(tx);
  await revokeAllTokens(tx);
  await markUnconfirmed(tx);
  await recordOperation(tx, { actor, action: 'restore.end_access', subject: 'installation' });
  await announceChange(tx, 'credentials');
}
