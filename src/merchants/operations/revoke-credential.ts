/** Revokes an API credential: the next request with it is refused, on every gateway process. */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import type { ActorOrName } from '../../kernel/actor.ts';
import { OperationError } from '../../kernel/errors.ts';
import { lockCredential, updateRevoked } from '../credential-store.ts';

/** Throws OperationError `no_credential`. `changed` is false when it was revoked already. */
export async function revokeCredential(
  tx: Tx,
  keyId: string,
  actor: ActorOrName,
): Promise<{ readonly changed: boolean }> {
  const credential = await lockCredential(tx, keyId);
  if (credential === undefined) throw new OperationError({ code: 'no_credential', keyId });
  if (credential.revoked_at !== null) return { changed: false };
  await updateRevoked(tx, keyId);
  await recordOperation(tx, {
    actor,
    action: 'credential.revoke',
    subject: `credential:${keyId}`,
    before: { revoked: false },
    after: { revoked: true },
  });
  await announceChange(tx, `credential:${keyId}`);
  return { changed: true };
}
