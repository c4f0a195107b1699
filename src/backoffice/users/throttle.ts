/**
 * How often somebody may try to sign in: by account and by address. Nobody is locked out: tries
 * come back with time, and a browser in which somebody signed in before has tries of its own, so
 * that who guesses at an account does not keep its owner out.
 *
 * Guarantees: a try is taken before anything is compared, so that tries at the same moment, in any
 * process, count too; an account that is not known counts like one that is; an address that has no
 * tries left stores nothing.
 */
import { createHash, createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { networkOf } from '../../core/network-of.ts';
import type { Sql } from '../../db/database.ts';
import type { Principal } from '../../merchants/merchant.ts';
import type { Audience } from './crew.ts';
import { SignInError } from './sign-in-error.ts';
import { type Bucket, fillBucket, giveTryBack, takeTry } from './throttle-store.ts';

/** Where a request comes from. */
export type Client = {
  readonly address: string;
  readonly agent: string;
  /** What a browser was given when somebody signed in there. */
  readonly known?: string | undefined;
};

function keyOf(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(parts.join('\n')).digest();
}

/** An office, or a network behind one address, has many people. */
export function addressBucket(face: Audience, address: string): Bucket {
  return { key: keyOf('address', face, networkOf(address)), burst: 30, refillS: 6 };
}

/** `known` is checked: a browser that was made up counts as none. */
export function accountBucket(face: Audience, email: string, known: string | undefined): Bucket {
  const account = email.trim().toLowerCase();
  const key = known === undefined ? keyOf('account', face, account) : keyOf('browser', face, account, known);
  return { key, burst: 10, refillS: 30 };
}

/** Of second factors: whoever tries has the password already. */
export function codeBucket(userId: string): Bucket {
  return { key: keyOf('code', userId), burst: 10, refillS: 300 };
}

/** E-mails for a new password. */
export function mailBucket(face: Audience, email: string): Bucket {
  return { key: keyOf('mail', face, email.trim().toLowerCase()), burst: 3, refillS: 1_200 };
}

/** Of merchant codes that are not the caller's own: by key, by merchant and by network. */
export function merchantCodeBuckets(
  { credentialId, merchant }: Principal,
  address: string,
): readonly Bucket[] {
  return [
    { key: keyOf('code of key', credentialId), burst: 20, refillS: 30 },
    { key: keyOf('code of merchant', String(merchant.id)), burst: 40, refillS: 15 },
    { key: keyOf('code from', networkOf(address)), burst: 60, refillS: 6 },
  ];
}

/** In the order given. Throws SignInError `too_many_tries`. */
export async function takeTries(sql: Sql, buckets: readonly Bucket[]): Promise<void> {
  for (const bucket of buckets) {
    const retryAfterS = await takeTry(sql, bucket);
    if (retryAfterS !== undefined) throw new SignInError({ code: 'too_many_tries', retryAfterS });
  }
}

/** After a try that was good. */
export async function forgiveTries(
  sql: Sql,
  { address, account }: { readonly address: Bucket; readonly account: Bucket },
): Promise<void> {
  await giveTryBack(sql, address);
  await fillBucket(sql, account.key);
}

/** After a try that was not looked at. */
export async function giveTriesBack(sql: Sql, buckets: readonly Bucket[]): Promise<void> {
  for (const bucket of buckets) await giveTryBack(sql, bucket);
}

/** For the browser to keep: it proves that the user signed in there, and opens nothing. */
export function newKnown(pepper: KeyObject, userId: string): string {
  const nonce = randomBytes(16).toString('base64url');
  return `${nonce}.${sealOf(pepper, userId, nonce)}`;
}

/** Whether the browser was given it for this user. */
export function isKnown(pepper: KeyObject, userId: string, known: string | undefined): boolean {
  const [, nonce, seal] = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/.exec(known ?? '') ?? [];
  if (nonce === undefined || seal === undefined) return false;
  return timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(pepper, userId, nonce)));
}

function sealOf(pepper: KeyObject, userId: string, nonce: string): string {
  return createHmac('sha256', pepper).update(`known browser\n${userId}\n${nonce}`).digest('base64url');
}
