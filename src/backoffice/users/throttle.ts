/**
 * Limits attempts to sign in, by account and by address. No account is locked: attempts come back
 * with time, and a browser with an earlier sign-in has its own limit, so that guesses do not keep
 * the owner out.
 *
 * Guarantees: an attempt is taken before anything is compared, so concurrent attempts in any
 * process count; unknown accounts count like known ones; an address without attempts left stores
 * nothing.
 */
import { createHash, createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { networkOf } from '../../core/network-of.ts';
import type { Sql } from '../../db/database.ts';
import type { Principal } from '../../merchants/merchant.ts';
import { SignInError } from './sign-in-error.ts';
import type { Audience } from './tenant-scope.ts';
import { type Bucket, fillBucket, giveTryBack, takeTry } from './throttle-store.ts';

/** The origin of a request. */
export type Client = {
  readonly address: string;
  readonly agent: string;
  /** The proof of an earlier sign-in in this browser. */
  readonly known?: string | undefined;
};

function keyOf(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(parts.join('\n')).digest();
}

/** Limits an address. It is generous, because an office shares one address. */
export function addressBucket(face: Audience, address: string): Bucket {
  return { key: keyOf('address', face, networkOf(address)), burst: 30, refillS: 6 };
}

/** Limits an account. `known` is a verified proof of an earlier sign-in. */
export function accountBucket(face: Audience, email: string, known: string | undefined): Bucket {
  const account = email.trim().toLowerCase();
  const key = known === undefined ? keyOf('account', face, account) : keyOf('browser', face, account, known);
  return { key, burst: 10, refillS: 30 };
}

/** Limits second factors, which are tried only with the right password. */
export function codeBucket(userId: string): Bucket {
  return { key: keyOf('code', userId), burst: 10, refillS: 300 };
}

/** Limits changes of the password by an open session. */
export function passwordBucket(userId: string): Bucket {
  return { key: keyOf('password', userId), burst: 5, refillS: 60 };
}

/** Limits e-mails with password reset links. */
export function mailBucket(face: Audience, email: string): Bucket {
  return { key: keyOf('mail', face, email.trim().toLowerCase()), burst: 3, refillS: 1_200 };
}

/** Limits the use of other merchants' codes by key, merchant and network. */
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

/** Takes an attempt of each bucket in order. Throws SignInError `too_many_tries`. */
export async function takeTries(sql: Sql, buckets: readonly Bucket[]): Promise<void> {
  for (const bucket of buckets) {
    const retryAfterS = await takeTry(sql, bucket);
    if (retryAfterS !== undefined) throw new SignInError({ code: 'too_many_tries', retryAfterS });
  }
}

/** Resets the limits after a successful attempt. */
export async function forgiveTries(
  sql: Sql,
  { address, account }: { readonly address: Bucket; readonly account: Bucket },
): Promise<void> {
  await giveTryBack(sql, address);
  await fillBucket(sql, account.key);
}

/** Returns attempts that were not checked. */
export async function giveTriesBack(sql: Sql, buckets: readonly Bucket[]): Promise<void> {
  for (const bucket of buckets) await giveTryBack(sql, bucket);
}

/** Creates the proof that the user signed in with this browser. It grants no access. */
export function newKnown(pepper: KeyObject, userId: string): string {
  const nonce = randomBytes(16).toString('base64url');
  return `${nonce}.${sealOf(pepper, userId, nonce)}`;
}

/** Whether the proof was issued for this user. */
export function isKnown(pepper: KeyObject, userId: string, known: string | undefined): boolean {
  const [, nonce, seal] = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/.exec(known ?? '') ?? [];
  if (nonce === undefined || seal === undefined) return false;
  return timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(pepper, userId, nonce)));
}

function sealOf(pepper: KeyObject, userId: string, nonce: string): string {
  return createHmac('sha256', pepper).update(`known browser\n${userId}\n${nonce}`).digest('base64url');
}
