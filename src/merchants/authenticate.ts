/**
 * Authenticates a request by its key and secret. Every request needs this, so it answers from
 * memory, without the database. The keyed hash of the secret takes a few microseconds, and is
 * computed only for the first request with it.
 *
 * Guarantees: a revoked, expired or changed credential, a suspended merchant and a changed profile
 * take effect at once in every process (see principal-cache.ts); an unknown key and a wrong secret
 * get the same answer after the same work; the secret is compared in constant time, or by salted
 * hashes that a caller cannot choose.
 */

import { hash, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Clock, systemClock } from '../core/clock.ts';
import { answerSoon, tellUnavailable } from '../db/answer-soon.ts';
import type { Database, Queries } from '../db/database.ts';
import { hashSecret, isKeyId } from './credential-secret.ts';
import { updateLastUsed } from './credential-store.ts';
import type { Principal } from './merchant.ts';
import { findMerchant } from './merchant-store.ts';
import { type ConfirmCredential, createPrincipalCache } from './principal-cache.ts';
import type { KnownCredential } from './principal-loader.ts';

export type Authentication = Principal | 'unknown' | 'unconfirmed' | 'forbidden';

export type Authenticator = {
  /**
   * `unknown`: no such key, a wrong secret, or a credential that is revoked or has expired.
   * `unconfirmed`: the right secret, but the key waits for a confirmation after a restore.
   * `forbidden`: the right secret, but from an address that is not allowed. The principal has the
   * merchant's suspension. Returns a promise if the database is needed; it rejects if the database
   * cannot be reached.
   */
  authenticate(keyId: string, secret: string, ip: string): Authentication | Promise<Authentication>;
  /**
   * Returns the principal of a credential for work that continues without its request; undefined
   * for one that is revoked, expired or unconfirmed. Rejects if the database cannot be reached.
   */
  principalOf(keyId: string): Promise<Principal | undefined>;
  /**
   * Returns whether a merchant has the code, in any letter case. Throws GatewayError
   * `database_away`.
   */
  merchantExists(code: string): Promise<boolean>;
  /**
   * Stores when credentials were last used, for display. Rejects if the database fails; the next
   * call stores the rest.
   */
  writeLastUsed(): Promise<void>;
  /** Resolves when changes are listened for; until then every request reads the database. */
  readonly ready: Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export type AuthenticatorOptions = {
  readonly database: Database;
  /** The key of the stored hashes. */
  readonly pepper: KeyObject;
  readonly clock?: Clock;
  /** On several servers. */
  readonly confirm?: ConfirmCredential | undefined;
};

/** New in each process, so that the time of a comparison reveals nothing. */
const salt = randomBytes(32).toString('base64');

/**
 * The secret of an unknown key is compared with this. A secret has this hash with a chance of 1 in
 * 2^256.
 */
const noHash = Buffer.alloc(32);

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { database, pepper, clock = systemClock } = options;
  const cache = createPrincipalCache(database, clock, options.confirm);
  /**
   * Salted hashes of secrets that were right, as long as their credential is cached. The keyed hash
   * takes eight times as long.
   */
  const proven = new WeakMap<KnownCredential, string>();
  const lastUsed = createLastUsed(database);

  const judge = (credential: KnownCredential | 'unknown', secret: string, ip: string): Authentication => {
    const proof = hash('sha256', salt + secret);
    if (credential === 'unknown' || proven.get(credential) !== proof) {
      const expected = credential === 'unknown' ? noHash : credential.secretHash;
      const matches = timingSafeEqual(hashSecret(pepper, secret), expected);
      if (credential === 'unknown' || !matches) return 'unknown';
      proven.set(credential, proof);
    }
    const now = clock.now();
    if (credential.revoked || credential.expiresAtMs <= now.getTime()) return 'unknown';
    if (credential.unconfirmed) return 'unconfirmed';
    if (!credential.allows(ip)) return 'forbidden';
    lastUsed.note(credential.principal.credentialId, now);
    return credential.principal;
  };

  return {
    ready: cache.ready,
    authenticate: (keyId, secret, ip) => {
      const remembered = isKeyId(keyId) ? cache.peek(keyId) : 'unknown';
      return remembered === undefined
        ? answerSoon(cache.read(keyId)).then((credential) => judge(credential, secret, ip))
        : judge(remembered, secret, ip);
    },
    principalOf: async (keyId) => {
      const credential = cache.peek(keyId) ?? (await cache.read(keyId));
      if (credential === 'unknown' || credential.revoked || credential.unconfirmed) return undefined;
      return credential.expiresAtMs <= clock.now().getTime() ? undefined : credential.principal;
    },
    merchantExists: async (code) =>
      (await answerSoon(findMerchant(database, code)).catch(tellUnavailable)) !== undefined,
    writeLastUsed: () => lastUsed.write(),
    [Symbol.asyncDispose]: () => cache[Symbol.asyncDispose](),
  };
}

type LastUsed = {
  note(keyId: string, at: Date): void;
  /**
   * Stores the uses since the last call. Uses that cannot be stored are stored by the next call.
   */
  write(): Promise<void>;
};

/**
 * Records when each credential was last used: in memory at each use, and for all of them in the
 * database periodically. Only people read it. Uses that a process had not stored when it died are
 * lost.
 */
function createLastUsed(database: Queries): LastUsed {
  let uses = new Map<string, Date>();
  return {
    note: (keyId, at) => {
      uses.set(keyId, at);
    },
    write: async () => {
      if (uses.size === 0) return;
      const taken = uses;
      uses = new Map();
      try {
        await database.transaction((tx) => updateLastUsed(tx, taken));
      } catch (error) {
        // Later uses replace those that are put back.
        uses = new Map([...taken, ...uses]);
        throw error;
      }
    },
  };
}
