/** Revokes an API credential: the next request with it is refused, on every gateway process. */

import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import type { Clock } from '../../core/clock.ts';
import { OperationError } from '../../core/errors.ts';
import { admins, defineOperation, roles } from '../../core/operation.ts';
import { inputOf, merchantField, oneOf, pageFields, pageOf } from '../../core/operation-fields.ts';
import { pageOfRead } from '../../core/page.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import type { Acting, Asking } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { credentialAnswer, credentialOutput } from '../credential-answer.ts';
import { credentialField } from '../credential-secret.ts';
import { listCredentials, lockCredential, updateRevoked } from '../credential-store.ts';
import { findByCode, ownerField, requireOwnCredential } from '../require-merchant.ts';

/** Throws OperationError `no_credential`. `changed` is false if it was already revoked. */
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
  summary: 'revoke a credential immediately, on every gateway process',
  roles: admins,
  portal: { roles: ['developer'] },
  route: 'POST /credentials/{credential}/revoke',
  document: 'operators/merchants.md',
  confirm: 'Revoke this credential permanently?',
  input: inputOf({ credential: credentialField, merchant: ownerField }),
  output: Type.Object({ key: Type.String(), state: oneOf(['revoked']), changed: Type.Boolean() }),
  run: async ({ tx, actor }: Acting, { credential: key, merchant }) => {
    await requireOwnCredential(tx, key, merchant);
    const { changed } = await revokeCredential(tx, key, actor);
    return { key, state: 'revoked' as const, changed };
  },
});

export const listCredentialsOperation = defineOperation({
  name: 'credential.list',
  kind: 'question',
  summary: "list a merchant's credentials, including those that are no longer valid",
  roles,
  portal: { roles: ['viewer', 'finance', 'developer'] },
  route: 'GET /merchants/{merchant}/credentials',
  document: 'operators/merchants.md',
  input: inputOf({ merchant: merchantField, ...pageFields }),
  output: pageOf(credentialOutput),
  run: async (
    { sql, clock }: Asking & { readonly clock: Clock },
    { merchant: code, limit = 50, cursor: after },
  ) => {
    const merchant = await findByCode(sql, code);
    const found = await listCredentials(sql, merchant.id, { after, limit: limit + 1 });
    const now = clock.now();
    return pageOfRead(
      found.map((row) => credentialAnswer(row, now)),
      limit,
      ({ key }) => key,
    );
  },
});
