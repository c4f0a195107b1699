/**
 * Replaces an API credential by a new one on the same terms; the old one still works for a while,
 * then no more.
 */

import type { KeyObject } from 'node:crypto';
import { recordOperation } from '../../audit-log/audit-log-store.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import type { ActorOrName } from '../../kernel/actor.ts';
import { OperationError } from '../../kernel/errors.ts';
import { type CredentialRow, lockCredential, updateExpiry } from '../credential-store.ts';
import { merchantCodeOf } from '../merchant-store.ts';
import { type IssuedCredential, issueCredential } from './issue-credential.ts';

/**
 * The old credential ends at `oldEndsAt`, or at its own expiry if that is earlier. The new one ends
 * at `expiresAt` or, where that is absent, lives as long as the old one was meant to. Throws
 * OperationError: `no_credential`; `credential_ended` for one that is revoked or has expired: issue
 * a new one.
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
    },
    actor,
  );
  await updateExpiry(tx, keyId, oldEndsAt);
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
