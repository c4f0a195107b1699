/** A merchant's identity as it is kept: sealed as one, bound to its row. */
import { createHmac } from 'node:crypto';
import type { Environment } from '../environment.ts';
import { invariant } from '../errors.ts';
import { open, type SealingKey, seal } from '../sealing.ts';
import type { PersonalFields } from './registration.ts';

type Owner = { readonly merchantId: number; readonly environment: Environment };

export function sealIdentity(key: SealingKey, owner: Owner, fields: PersonalFields): string {
  return seal(key, placeOf(owner), JSON.stringify(fields));
}

export function openIdentity(key: SealingKey, owner: Owner, sealed: string): PersonalFields {
  const text = open(key, placeOf(owner), sealed);
  invariant(text !== undefined, 'an identity opens with the key it was sealed with');
  return JSON.parse(text) as PersonalFields;
}

/** Names an e-mail without giving it away: equal for equal addresses in any letter case. */
export function hashEmail(key: SealingKey, provider: string, email: string): string {
  return createHmac('sha256', key.bytes)
    .update(`${provider}/${email.toLowerCase()}`)
    .digest('hex')
    .slice(0, 32);
}

export function documentPlace({ merchantId, environment }: Owner): string {
  return `funding_documents/${merchantId}/${environment}/sealed`;
}

function placeOf({ merchantId, environment }: Owner): string {
  return `funding_identities/${merchantId}/${environment}/sealed`;
}
