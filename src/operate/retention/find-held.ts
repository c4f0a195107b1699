/**
 * Finds all data of one person in steps. Each step reads a bounded part of one table and returns
 * where the next continues.
 */

import { createHmac, type KeyObject } from 'node:crypto';
import { formatRfc3339 } from '../../core/clock.ts';
import { isEmail } from '../../core/email.ts';
import type { Environment } from '../../core/environment.ts';
import { OperationError } from '../../core/errors.ts';
import { leastId } from '../../core/ids.ts';
import { localForm, parseMobileNumber } from '../../core/products/mobile-number.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Queries } from '../../db/database.ts';
import { openIdentity } from '../../funding/sealed-identity.ts';
import { destinationPlace, maskDestination } from '../../notifications/messages/destination.ts';
import { searchPurchases } from '../../purchases/search/search-purchases.ts';
import { findHeldFindings } from './difference-store.ts';
import {
  findBatchRows,
  findContacts,
  findDeliveriesHinted,
  findLines,
  findSavedRecipients,
  type HeldPurchase,
  listIdentities,
  type Numbers,
  type PurchaseId,
  readHeldPurchases,
} from './person-store.ts';

export type Person = {
  /** The recipients of purchases, in all stored formats. */
  readonly recipients: readonly string[];
  /** International digits. */
  readonly phone: string | undefined;
  /** In lower case. */
  readonly email: string | undefined;
  /** The trimmed input. */
  readonly typed: string;
};

const SHORTEST = 4;

/** Parses a person's identifier. Returns undefined if it is too short or malformed. */
export function readPerson(text: string): Person | undefined {
  const typed = text.trim();
  if (typed.includes('@')) {
    // Some billers use e-mail addresses as customer numbers.
    return isEmail(typed)
      ? { recipients: [typed], phone: undefined, email: typed.toLowerCase(), typed }
      : undefined;
  }
  if (typed.length < SHORTEST) return undefined;
  const phone = parseMobileNumber(typed.replaceAll(/[ -]/g, ''));
  const recipients = phone === undefined ? [typed] : [...new Set([phone, localForm(phone), typed])];
  return { recipients, phone, email: undefined, typed };
}

/** Masks the identifier for the audit log, so that it does not identify the person. */
export function maskPerson({ phone, email, typed }: Person): string {
  if (phone !== undefined) return `${localForm(phone).slice(0, 4)}*******`;
  if (email !== undefined) return `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`;
  return '*'.repeat(typed.length);
}

/** Returns a keyed hash by which someone who knows the person can find the audit entry. */
export function fingerprintOf(pepper: KeyObject, { phone, email, typed }: Person): string {
  const canonical = phone ?? email ?? typed;
  return createHmac('sha256', pepper).update(`person/${canonical}`).digest('hex').slice(0, 32);
}

export const heldKinds = [
  'identity',
  'mtn_line',
  'purchase',
  'contact',
  'delivery',
  'batch_row',
  'saved_recipient',
  'finding',
] as const;

/** A row with data of the person. */
export type Held = {
  readonly kind: (typeof heldKinds)[number];
  readonly merchant: string;
  readonly environment: Environment;
  /** The reference of a purchase, or the id of a batch. */
  readonly reference: string | null;
  readonly at: string;
  readonly says: Readonly<Record<string, string>>;
  /** The key of the row. `id` is empty for an identity. */
  readonly key: PurchaseId;
  /** Why the row cannot be erased now. */
  readonly needed: string | undefined;
};

/** The stages in order. */
export const heldStages = [
  'identities',
  'lines',
  'purchases',
  'contacts',
  'deliveries',
  'batches',
  'saved',
  'found',
] as const;

/** The place where a search continues. */
export type HeldPlace = {
  readonly stage: (typeof heldStages)[number];
  readonly merchantId: number;
  readonly environment: Environment;
  readonly id: string;
};

type Step = { readonly held: readonly Held[]; readonly next: HeldPlace | undefined };
type Needs = { readonly sql: Queries; readonly sealer: Sealer };

const MERCHANTS_PER_STEP = 200;
const ROWS_PER_STEP = 5_000;
const PURCHASES_PER_STEP = 50;
/** Each has up to 10,000 rows. */
const BATCHES_PER_STEP = 10;

export const firstPlace: HeldPlace = beginning('identities');

function beginning(stage: HeldPlace['stage']): HeldPlace {
  return { stage, merchantId: -1, environment: 'live', id: leastId };
}

function after(stage: HeldPlace['stage']): HeldPlace | undefined {
  const next = heldStages[heldStages.indexOf(stage) + 1];
  return next && beginning(next);
}

/**
 * Runs the step at a place. `next` is undefined after the last. Throws OperationError
 * `search_incomplete` while the search index is being built.
 */
export async function findHeldStep(needs: Needs, person: Person, place: HeldPlace): Promise<Step> {
  switch (place.stage) {
    case 'identities':
      return await stepIdentities(needs, person, place);
    case 'lines':
      return { held: await readLines(needs, person), next: after('lines') };
    case 'purchases':
      return await stepPurchases(needs, person, place);
    case 'contacts':
      return await stepContacts(needs, person, place);
    case 'deliveries':
      return await stepDeliveries(needs, person, place);
    case 'batches':
      return await stepBatches(needs, person, place);
    case 'saved':
      return { held: await readSaved(needs, person), next: after('saved') };
    case 'found':
      return { held: await readFindings(needs, person), next: after('found') };
  }
}

async function stepIdentities({ sql, sealer }: Needs, person: Person, place: HeldPlace): Promise<Step> {
  const rows = await listIdentities(sql, place.merchantId, MERCHANTS_PER_STEP);
  const held = rows.flatMap((row): Held[] => {
    const fields = openIdentity(sealer, row, row.sealed);
    const phone = fields.phone === undefined ? undefined : parseMobileNumber(fields.phone);
    const isMatch =
      (person.email !== undefined && fields.email?.toLowerCase() === person.email) ||
      (person.phone !== undefined && phone === person.phone) ||
      fields.bvn === person.typed;
    if (!isMatch) return [];
    const { merchant, environment, merchantId, updatedAt } = row;
    const says = textsOf(fields);
    const needed = row.isNeeded ? 'a bank request still needs it' : undefined;
    const key = { merchantId, environment, id: '' };
    return [
      {
        kind: 'identity',
        merchant,
        environment,
        reference: null,
        at: formatRfc3339(updatedAt),
        says,
        key,
        needed,
      },
    ];
  });
  const last = rows.at(-1);
  return { held, next: last === undefined ? after('identities') : { ...place, merchantId: last.merchantId } };
}

async function readLines({ sql }: Needs, { phone }: Person): Promise<Held[]> {
  if (phone === undefined) return [];
  return (await findLines(sql, phone)).map(({ merchant, environment, clientName, createdAt }) => ({
    kind: 'mtn_line' as const,
    merchant,
    environment,
    reference: null,
    at: formatRfc3339(createdAt),
    says: { phone, client_name: clientName },
    key: { merchantId: -1, environment, id: '' },
    needed: "a merchant's line: remove it with oja merchant mtn-line remove",
  }));
}

async function stepPurchases({ sql }: Needs, { recipients }: Person, place: HeldPlace): Promise<Step> {
  const before = place.id === leastId ? undefined : place.id;
  const page = await searchPurchases(sql, { recipients }, { before, limit: PURCHASES_PER_STEP });
  // An incomplete result must not look complete.
  if (page.searchedUntil !== undefined) {
    throw new OperationError({ code: 'search_incomplete', until: formatRfc3339(page.searchedUntil) });
  }
  const rows = await readHeldPurchases(sql, page.items);
  return {
    held: rows.map((row) => heldPurchase('purchase', row)),
    next: page.before === undefined ? after('purchases') : { ...place, id: page.before },
  };
}

/** Finds purchases for a meter or an account with the person's phone as contact. */
async function stepContacts({ sql }: Needs, { phone, typed }: Person, place: HeldPlace): Promise<Step> {
  if (phone === undefined) return { held: [], next: after('contacts') };
  const { rows, last } = await findContacts(sql, phonesOf({ phone, typed }), place, ROWS_PER_STEP);
  return { held: rows.map((row) => heldPurchase('contact', row)), next: nextOf(place, last) };
}

function phonesOf({ phone, typed }: Pick<Person, 'phone' | 'typed'>): readonly string[] {
  return phone === undefined ? [] : [phone, localForm(phone), `+${phone}`, typed];
}

/** Returns the person's numbers as rows of batches have them. */
export function numbersOf(person: Person): Numbers {
  return { recipients: person.recipients, phones: phonesOf(person) };
}

/** Finds rows of batches without a purchase: not bought yet, never, or refused. */
async function stepBatches({ sql }: Needs, person: Person, place: HeldPlace): Promise<Step> {
  const { rows, last } = await findBatchRows(sql, numbersOf(person), place, BATCHES_PER_STEP);
  const held = rows.map(({ merchant, environment, merchantId, id, changedAt, ...row }) => ({
    kind: 'batch_row' as const,
    merchant,
    environment,
    reference: id,
    at: formatRfc3339(changedAt),
    says: {
      number: row.number,
      rows: String(row.rows),
      ...(row.phone !== null && { contact_phone: row.phone }),
    },
    key: { merchantId, environment, id },
    needed: row.isNeeded ? 'its batch can still buy it: stop the batch first' : undefined,
  }));
  return { held, next: nextOf(place, last) };
}

async function readSaved({ sql }: Needs, { recipients }: Person): Promise<Held[]> {
  return (await findSavedRecipients(sql, recipients)).map(
    ({ merchantId, merchant, id, createdAt, ...row }) => ({
      kind: 'saved_recipient' as const,
      merchant,
      environment: 'live' as const,
      reference: null,
      at: formatRfc3339(createdAt),
      says: { ...row },
      key: { merchantId, environment: 'live' as const, id },
      needed: undefined,
    }),
  );
}

async function stepDeliveries({ sql, sealer }: Needs, person: Person, place: HeldPlace): Promise<Step> {
  const address = person.email ?? person.phone;
  if (address === undefined) return { held: [], next: after('deliveries') };
  // Hints keep the case of the first letter as it was sent.
  const channel = person.email === undefined ? 'sms' : 'email';
  const hints = [...new Set([address, person.typed])].map((one) =>
    maskDestination({ channel, address: one }),
  );
  const { rows, last } = await findDeliveriesHinted(sql, hints, place, ROWS_PER_STEP);
  const held = rows.flatMap((row): Held[] => {
    const destination = sealer.open(destinationPlace(row.id), row.destination);
    if (destination?.toLowerCase() !== address) return [];
    const { merchant, environment, reference, merchantId, id, state } = row;
    const isOver = !['waiting', 'due', 'sending'].includes(state);
    const says = { destination, channel: row.channel, state };
    const needed = isOver ? undefined : 'it has not been sent yet';
    const key = { merchantId, environment, id };
    return [
      {
        kind: 'delivery',
        merchant,
        environment,
        reference,
        at: formatRfc3339(row.createdAt),
        says,
        key,
        needed,
      },
    ];
  });
  return { held, next: nextOf(place, last) };
}

/** Finds orders that a provider lists and this gateway does not know. */
async function readFindings({ sql }: Needs, { recipients, phone }: Person): Promise<Held[]> {
  const spellings = phone === undefined ? recipients : [...recipients, `+${phone}`];
  return (await findHeldFindings(sql, spellings)).map((row) => ({
    kind: 'finding' as const,
    merchant: '',
    environment: 'live' as const,
    reference: row.reference,
    at: formatRfc3339(row.at),
    says: { provider: row.provider, number: row.recipient, words: row.words },
    key: { merchantId: -1, environment: 'live' as const, id: `${row.provider}/${row.reference}` },
    needed: row.isNeeded ? 'the restore lock is set and the order is open' : undefined,
  }));
}

function nextOf(place: HeldPlace, last: PurchaseId | undefined): HeldPlace | undefined {
  if (last === undefined) return after(place.stage);
  const { merchantId, environment, id } = last;
  return { ...place, merchantId, environment, id };
}

function heldPurchase(kind: 'purchase' | 'contact', row: HeldPurchase): Held {
  const { merchant, environment, reference, merchantId, id, details } = row;
  const { product, network, status } = row;
  return {
    kind,
    merchant,
    environment,
    reference,
    at: formatRfc3339(row.createdAt),
    says: {
      product,
      network,
      status,
      number: row.msisdn,
      ...(row.telcoMessage !== null && { telco_message: row.telcoMessage }),
      ...(details?.phone !== undefined && { contact_phone: details.phone }),
      ...textsOf(details?.customer ?? {}),
    },
    key: { merchantId, environment, id },
    needed: undefined,
  };
}

function textsOf(fields: object): Record<string, string> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
