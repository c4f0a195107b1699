/**
 * Seals and opens the identities and documents of merchants. A sealed value is bound to its row.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import type { Environment } from '../core/environment.ts';
import { invariant } from '../core/errors.ts';
import type { Sealer } from '../core/sealing.ts';
import type { PersonalFields } from './registration.ts';

/** The stored names of an identity's fields. They never change, because sealed rows have them. */
const storedNames = {
  email: 'email',
  firstName: 'first_name',
  lastName: 'last_name',
  phone: 'phone_number',
  bvn: 'bvn',
  dateOfBirth: 'date_of_birth',
} as const satisfies Readonly<Record<keyof PersonalFields, string>>;

type StoredFields = Partial<Readonly<Record<(typeof storedNames)[keyof PersonalFields], string>>>;

const fieldNames = Object.keys(storedNames) as (keyof PersonalFields)[];

type Owner = { readonly merchantId: number; readonly environment: Environment };

export function sealIdentity(sealer: Sealer, owner: Owner, fields: PersonalFields): string {
  return sealer.seal(placeOf(owner), JSON.stringify(toStored(fields)));
}

export function openIdentity(sealer: Sealer, owner: Owner, sealed: string): PersonalFields {
  const text = sealer.open(placeOf(owner), sealed);
  invariant(text !== undefined, 'an identity opens with one of the keys it may be sealed with');
  return fromStored(JSON.parse(text) as StoredFields);
}

function toStored(fields: PersonalFields): StoredFields {
  const known = fieldNames.filter((name) => fields[name] !== undefined);
  return Object.fromEntries(known.map((name) => [storedNames[name], fields[name]]));
}

function fromStored(stored: StoredFields): PersonalFields {
  const known = fieldNames.filter((name) => stored[storedNames[name]] !== undefined);
  return Object.fromEntries(known.map((name) => [name, stored[storedNames[name]]]));
}

/** Hashes an e-mail address. Addresses that differ in letter case only have the same hash. */
export function hashEmail(pepper: KeyObject, provider: string, email: string): string {
  return createHmac('sha256', pepper).update(`${provider}/${email.toLowerCase()}`).digest('hex').slice(0, 32);
}

/** Seals the bytes of a document as text. */
export function sealDocument(sealer: Sealer, owner: Owner, bytes: Buffer): Promise<string> {
  return sealer.sealLarge(documentPlace(owner), bytes);
}

/** Opens a document. Undefined when no key opens it. */
export function openDocument(sealer: Sealer, owner: Owner, sealed: string): Buffer | undefined {
  const text = sealer.open(documentPlace(owner), sealed);
  return text === undefined ? undefined : Buffer.from(text, 'base64');
}

function documentPlace({ merchantId, environment }: Owner): string {
  return `funding_documents/${merchantId}/${environment}/sealed`;
}

function placeOf({ merchantId, environment }: Owner): string {
  return `funding_identities/${merchantId}/${environment}/sealed`;
}
