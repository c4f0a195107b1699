/**
 * Hashes passwords with argon2id. The parameters are stored with each hash, so that they can be
 * raised later.
 *
 * Guarantees: a process computes one hash at a time, in a thread that purchases do not wait for.
 * The number of waiting calls of each application is bounded. A user without a password costs the
 * same as one with a password.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { FairGate, type Sharer } from '../../core/fair-gate.ts';
import { LowPriorityThread } from '../../core/low-priority-thread.ts';
import { networkOf } from '../../core/network-of.ts';
import type { DeriveRequest } from './derive.worker.ts';
import { SignInError } from './sign-in-error.ts';
import type { Audience } from './tenant-scope.ts';

const thread = new LowPriorityThread<DeriveRequest, Uint8Array>(
  new URL('./derive.worker.ts', import.meta.url),
);

type Parameters = { readonly memory: number; readonly passes: number; readonly parallelism: number };

/** 19 MiB, as OWASP recommends; about 35 ms of one core. */
const present: Parameters = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * The pools of each application. Known callers have their own pool: a browser with an earlier
 * sign-in, an open session, or a link. Each pool has one call at the thread, which serves them in
 * turn, so one pool delays another by at most three hashes.
 */
export type HashPool = Audience | `${Audience}_known`;

const gate = new FairGate<HashPool>({
  pools: {
    console_known: { places: 1, waiting: 40 },
    portal_known: { places: 1, waiting: 40 },
    console: { places: 1, waiting: 40 },
    portal: { places: 1, waiting: 40 },
  },
});
const RETRY_AFTER_S = 2;

/** Returns the key under which an unknown caller's use of a limit is counted: its network. */
export function shareOfNetwork(face: Audience, address: string): Sharer<HashPool> {
  return { pool: face, group: networkOf(address), member: '' };
}

/** Returns the key under which a known user's use of a limit is counted. */
export function shareOfUser(face: Audience, userId: string): Sharer<HashPool> {
  return { pool: `${face}_known`, group: userId, member: '' };
}

/** Runs work when it is its turn. Throws SignInError `too_many_tries` if too many calls wait. */
function inTurn<T>(sharer: Sharer<HashPool>, work: () => Promise<T>): Promise<T> {
  const full = (): Error => new SignInError({ code: 'too_many_tries', retryAfterS: RETRY_AFTER_S });
  return gate.run(sharer, {}, full, work);
}

/** Normalizes equivalent characters. */
function bytesOf(password: string): Uint8Array {
  return new TextEncoder().encode(password.normalize('NFKC'));
}

async function hashWith(
  password: string,
  nonce: Uint8Array,
  { memory, passes, parallelism }: Parameters,
): Promise<Buffer> {
  const message = bytesOf(password);
  return Buffer.from(
    await thread.run({ message, nonce, memory, passes, parallelism, tagLength: HASH_BYTES }),
  );
}

/** Hashes a password. Throws SignInError `too_many_tries`. */
export async function hashPassword(password: string, sharer: Sharer<HashPool>): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return written(present, salt, await inTurn(sharer, () => hashWith(password, salt, present)));
}

/** Formats a hash in the PHC string format. */
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

/** A random hash to compare with if there is no password. */
const randomHash = written(present, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

/** Verifies a password with the same work for any `stored`. Throws SignInError `too_many_tries`. */
export async function verifyPassword(
  password: string,
  stored: string | null | undefined,
  sharer: Sharer<HashPool>,
): Promise<boolean> {
  const { parameters, salt, hash } = read(stored ?? randomHash);
  const computed = await inTurn(sharer, () => hashWith(password, salt, parameters));
  return timingSafeEqual(computed, hash) && typeof stored === 'string';
}
