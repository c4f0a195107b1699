/**
 * Hashes of passwords: argon2id, with the parameters stored beside each hash, so that they can be
 * raised later.
 *
 * Guarantees: two hashes are computed at a time in a process, and a bounded number waits for each
 * face; a user without a password costs the same as one with a password.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { FairGate, type Sharer } from '../../core/fair-gate.ts';
import { networkOf } from '../../core/network-of.ts';
import type { Audience } from './crew.ts';
import { SignInError } from './sign-in-error.ts';

const derive = promisify(argon2);

type Parameters = { readonly memory: number; readonly passes: number; readonly parallelism: number };

/** 19 MiB: what OWASP recommends, and 35 ms of one core. */
const present: Parameters = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * Places of each face, and of who has proved something there: a browser in which somebody signed in
 * before, an open session, a link. Who guesses at one face takes nothing of the other.
 */
export type HashPool = Audience | `${Audience}_known`;

const gate = new FairGate<HashPool>({
  atOnce: 2,
  pools: {
    console_known: { places: 1, waiting: 40 },
    portal_known: { places: 1, waiting: 40 },
    console: { places: 1, waiting: 40 },
    portal: { places: 1, waiting: 40 },
  },
});
const RETRY_AFTER_S = 2;

/** The share of somebody who has not proved anything: that of the network. */
export function shareOfNetwork(face: Audience, address: string): Sharer<HashPool> {
  return { pool: face, group: networkOf(address), member: '' };
}

/** The share of a user who has proved something before. */
export function shareOfUser(face: Audience, userId: string): Sharer<HashPool> {
  return { pool: `${face}_known`, group: userId, member: '' };
}

/** Throws SignInError `too_many_tries` where too many wait. */
function singleFlight<T>(sharer: Sharer<HashPool>, work: () => Promise<T>): Promise<T> {
  const full = (): Error => new SignInError({ code: 'too_many_tries', retryAfterS: RETRY_AFTER_S });
  return gate.run(sharer, {}, full, work);
}

/** Of the same characters however they were typed in. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'), 'utf8');
}

async function hashWith(
  password: string,
  nonce: Buffer,
  { memory, passes, parallelism }: Parameters,
): Promise<Buffer> {
  const message = bytesOf(password);
  return await derive('argon2id', { message, nonce, memory, passes, parallelism, tagLength: HASH_BYTES });
}

/** Throws SignInError `too_many_tries` where too many wait. */
export async function hashPassword(password: string, sharer: Sharer<HashPool>): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return written(present, salt, await singleFlight(sharer, () => hashWith(password, salt, present)));
}

/** In the form that other programs write too. */
function written({ memory, passes, parallelism }: Parameters, salt: Buffer, hash: Buffer): string {
  const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;
}

function read(text: string): {
  readonly parameters: Parameters;
  readonly salt: Buffer;
  readonly hash: Buffer;
} {
  const [, m, t, p, salt = '', hash = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(text) ?? [];
  return {
    parameters: { memory: Number(m), passes: Number(t), parallelism: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

/** What is compared with where there is no password: nothing hashes to it. */
const nobody = written(present, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

/** The same work is done whatever `stored` is. Throws SignInError `too_many_tries`. */
export async function verifyPassword(
  password: string,
  stored: string | null | undefined,
  sharer: Sharer<HashPool>,
): Promise<boolean> {
  const { parameters, salt, hash } = read(stored ?? nobody);
  const computed = await singleFlight(sharer, () => hashWith(password, salt, parameters));
  return timingSafeEqual(computed, hash) && typeof stored === 'string';
}
