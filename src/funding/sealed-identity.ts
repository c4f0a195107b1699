/** A merchant's identity as it is kept: sealed as one, bound to its row. */
import { createHmac, type KeyObject } from 'node:crypto';
import type { Environment } from '../environment.ts';
import { invariant } from '../errors.ts';
import type { Sealer } from '../sealing.ts';
import type { PersonalFields } from './registration.ts';

type Owner = { readonly merchantId: number; readonly environment: Environment };

export function sealIdentity(sealer: Pick<Sealer, 'seal'>, owner: Owner, fields: PersonalFields): string {
  return sealer.seal(placeOf(owner), JSON.stringify(fields));
}

export function openIdentity(sealer: Pick<Sealer, 'open'>, owner: Owner, sealed: string): PersonalFields {
  const text = sealer.open(placeOf(owner), sealed);
  invariant(text !== undefined, 'an identity opens with one of the keys');
  return JSON.parse(text) as PersonalFields;
}

/**
 * Names an e-mail without giving it away: equal for equal addresses in any letter case. Keyed by the pepper, for it must stay the same
 * when the keys that seal are rotated.
 */
export function hashEmail(pepper: KeyObject, provider: string, email: string): string {
  return createHmac('sha256', pepper).update(`${provider}/${email.toLowerCase()}`).digest('hex').slice(0, 32);
}

export function documentPlace({ merchantId, environment }: Owner): string {
  return `funding_documents/${merchantId}/${environment}/sealed`;
}

function placeOf({ merchantId, environment }: Owner): string {
  return `funding_identities/${merchantId}/${environment}/sealed`;
}
