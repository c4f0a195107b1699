/**
 * Replaces an API credential by a new one on the same terms. The old one stays valid for an
 * overlap.
 */

import type { KeyObject } from 'node:crypto';
import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import { formatRfc3339, parseDuration } from '../../core/clock.ts';
import { OperationError } from '../../core/errors.ts';
import { admins, defineOperation } from '../../core/operation.ts';
import { durationField, inputOf, overlapField, timeOutput } from '../../core/operation-fields.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { issuedAnswer, issuedOutput } from '../credential-answer.ts';
import { credentialField } from '../credential-secret.ts';
import { type CredentialRow, lockCredential, updateExpiry } from '../credential-store.ts';
import { merchantCodeOf } from '../merchant-store.ts';
import { ownerField, requireOwnCredential } from '../require-merchant.ts';
import { spendingOf } from '../spending.ts';
import { type CredentialNeeds, endOf, type IssuedCredential, issueCredential } from './issue-credential.ts';

/**
 * The old credential ends at `oldEndsAt`, or at its own expiry if that is earlier. The new one ends
 * at `expiresAt` or, if that is absent, is valid for as long as the old one was. Throws
 * OperationError: `no_credential`; `credential_ended` for one that is revoked or has expired: issue
 * a new one; `too_many_credentials` if the old one still works and the maximum is reached.
 */
export async function rotateCredential(
  tx: Tx,
  pepper: KeyObject,
  order: {
    readonly keyId: string;
    readonly oldEndsAt: Date;
    readonly expiresAt?: Date | undefined;
    readonly now: Date;
  },
  actor: ActorOrName,
): Promise<IssuedCredential & { readonly oldEndsAt: Date }> {
  const { keyId, now } = order;
  const old = await lockCredential(tx, keyId);
  if (old === undefined) throw new OperationError({ code: 'no_credential', keyId });
  if (old.revoked_at !== null || (old.expires_at !== null && old.expires_at <= now)) {
    throw new OperationError({ code: 'credential_ended', keyId });
  }
  const oldEndsAt =
    old.expires_at !== null && old.expires_at < order.oldEndsAt ? old.expires_at : order.oldEndsAt;
  // First, so that a credential that ends now makes room for the new one.
  await updateExpiry(tx, keyId, oldEndsAt);
  const issued = await issueCredential(
    tx,
    pepper,
    {
      merchantCode: await merchantCodeOf(tx, old.merchant_id),
      environment: old.environment,
      label: old.label,
      allowedIps: old.allowed_ips,
      rateLimitPerS: old.rate_limit_per_s ?? undefined,
      expiresAt: order.expiresAt ?? sameLifetime(old, now),
      spending: spendingOf(old),
      spendsAs: old.spends_as ?? keyId,
      now,
    },
    actor,
  );
  await recordOperation(tx, {
    actor,
    action: 'credential.rotate',
    subject: `credential:${keyId}`,
    before: { expires_at: old.expires_at },
    after: { expires_at: oldEndsAt, replaced_by: issued.credential.key_id },
  });
  await announceChange(tx, `credential:${keyId}`);
  return { ...issued, oldEndsAt };
}

function sameLifetime(old: CredentialRow, now: Date): Date | undefined {
  if (old.expires_at === null) return undefined;
  return new Date(now.getTime() + old.expires_at.getTime() - old.created_at.getTime());
}

export const rotateCredentialOperation = defineOperation({
  name: 'credential.rotate',
  kind: 'act',
  summary: 'issue a credential on the same terms; the old one works until the end of the overlap',
  roles: admins,
  portal: { roles: ['developer'] },
  route: 'POST /credentials/{credential}/rotate',
  document: 'operators/merchants.md',
  showsSecret: true,
  input: inputOf({
    credential: credentialField,
    merchant: ownerField,
    overlap: overlapField,
    expires_in: Type.Optional({
      ...durationField,
      description: 'a time such as 90d, 3650d at most; by default, that of the old one',
    }),
  }),
  output: Type.Object({
    ...issuedOutput.properties,
    replaces: Type.Object({ key: Type.String(), expires_at: timeOutput }),
  }),
  run: async (
    { tx, actor, pepper, clock }: Acting & CredentialNeeds,
    { credential: keyId, merchant, overlap, expires_in: life },
  ) => {
    await requireOwnCredential(tx, keyId, merchant);
    const now = clock.now();
    const oldEndsAt = new Date(now.getTime() + (parseDuration(overlap) ?? 0));
    const order = { keyId, oldEndsAt, expiresAt: endOf(now, life), now };
    const rotated = await rotateCredential(tx, await pepper(), order, actor);
    const replaces = { key: keyId, expires_at: formatRfc3339(rotated.oldEndsAt) };
    return { ...issuedAnswer(rotated, now), replaces };
  },
});
