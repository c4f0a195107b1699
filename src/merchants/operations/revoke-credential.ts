/** Revokes an API credential: the next request with it is refused, on every gateway process. */

import { Type } from 'typebox';
import type { Acting } from '../../audit-log/acting.ts';
import { recordOperation } from '../../audit-log/audit-log-store.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import type { ActorOrName } from '../../kernel/actor.ts';
import { OperationError } from '../../kernel/errors.ts';
import { admins, defineOperation } from '../../kernel/operation.ts';
import { inputOf, oneOf } from '../../kernel/operation-fields.ts';
import { credentialField } from '../credential-secret.ts';
import { lockCredential, updateRevoked } from '../credential-store.ts';
import { ownerField, requireOwnCredential } from '../own-credential.ts';

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

export const revokeCredentialOperation = defineOperation({
  name: 'credential.revoke',
  kind: 'act',
  summary: 'end a credential at once, on every gateway process',
  roles: admins,
  portal: { roles: ['developer'] },
  route: 'POST /credentials/{credential}/revoke',
  document: 'operators/cli.md',
  confirm: 'End this credential for good?',
  input: inputOf({ credential: credentialField, merchant: ownerField }),
  output: Type.Object({ key: Type.String(), state: oneOf(['revoked']), changed: Type.Boolean() }),
  run: async ({ tx, actor }: Acting, { credential: key, merchant }) => {
    await requireOwnCredential(tx, key, merchant);
    const { changed } = await revokeCredential(tx, key, actor);
    return { key, state: 'revoked' as const, changed };
  },
});
