/**
 * Caches credentials and merchant profiles between requests, as long as it is notified of changes.
 *
 * Guarantees: an entry is dropped when a change notification names it; no entry is trusted while
 * the connection for notifications is down, or longer than a minute; a value that was read before a
 * notification arrived is not cached after it.
 */

import { LRUCache } from 'lru-cache';
import { ageBy, type Clock } from '../core/clock.ts';
import { changesChannel } from '../db/change-notice-store.ts';
import type { Database } from '../db/database.ts';
import { createPrincipalLoader, type KnownCredential } from './principal-loader.ts';

const KNOWN_MAX = 10_000;
const UNKNOWN_MAX = 10_000;
/** A second protection besides the notices: a half-dead connection may lose notices undetected. */
const KNOWN_AGE_MAX_MS = 60_000;
/** Short, because a key that is issued later must work even if its notice is lost. */
const UNKNOWN_AGE_MAX_MS = 5_000;

const credentialNotice = 'credential:';

export type PrincipalCache = {
  /**
   * Returns without waiting: the credential; `unknown` for a key that is remembered not to exist;
   * undefined if it must be read.
   */
  peek(keyId: string): KnownCredential | 'unknown' | undefined;
  read(keyId: string): Promise<KnownCredential | 'unknown'>;
  /** Resolves when changes are listened for. */
  readonly ready: Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export function createPrincipalCache(database: Database, clock: Clock): PrincipalCache {
  const loader = createPrincipalLoader(database);
  const known = new LRUCache<string, KnownCredential>({
    max: KNOWN_MAX,
    ttl: KNOWN_AGE_MAX_MS,
    ...ageBy(clock),
  });
  const unknown = new LRUCache<string, 'unknown'>({
    max: UNKNOWN_MAX,
    ttl: UNKNOWN_AGE_MAX_MS,
    ...ageBy(clock),
  });
  const ready = Promise.withResolvers<void>();
  let trusted = false;
  /** Counts possible changes. A read that began at an earlier count is not cached. */
  let changes = 0;

  const forgetAll = (): void => {
    changes += 1;
    known.clear();
    unknown.clear();
  };
  const onNotice = (payload: string): void => {
    if (payload.startsWith(credentialNotice)) {
      const keyId = payload.slice(credentialNotice.length);
      changes += 1;
      known.delete(keyId);
      unknown.delete(keyId);
    } else if (payload === 'merchants' || payload === 'credentials') {
      forgetAll();
    }
  };
  const listener = database.listen(changesChannel, {
    onNotice,
    onUp: () => {
      forgetAll();
      trusted = true;
      ready.resolve();
    },
    onDown: () => {
      trusted = false;
      forgetAll();
    },
  });

  return {
    ready: ready.promise,
    peek: (keyId) => (trusted ? (known.get(keyId) ?? unknown.get(keyId)) : undefined),
    read: async (keyId) => {
      const changesBefore = changes;
      // The age of an entry counts from when the read began.
      const start = clock.elapsedMs();
      const credential = await loader.load(keyId);
      if (trusted && changes === changesBefore) {
        if (credential === undefined) unknown.set(keyId, 'unknown', { start });
        else known.set(keyId, credential, { start });
      }
      return credential ?? 'unknown';
    },
    [Symbol.asyncDispose]: async () => {
      await listener[Symbol.asyncDispose]();
    },
  };
}
