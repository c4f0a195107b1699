/**
 * Remembers credentials and merchant profiles between requests, as long as it would be told of a
 * change.
 *
 * Guarantees: what is remembered is dropped when a change notice names it; nothing is trusted while
 * the connection that brings the notices is down, or longer than a minute; what was read before a
 * notice arrived is never kept after it.
 */

import { LRUCache } from 'lru-cache';
import { changesChannel } from '../db/change-notice-store.ts';
import type { Database } from '../db/database.ts';
import { ageBy, type Clock } from '../kernel/clock.ts';
import { createPrincipalLoader, type KnownCredential } from './principal-loader.ts';

const KNOWN_MAX = 10_000;
const UNKNOWN_MAX = 10_000;
/** A second line behind the notices: a half-dead connection may lose some unnoticed. */
const KNOWN_AGE_MAX_MS = 60_000;
/** Short: a key that is issued later must work, should the notice of it be lost. */
const UNKNOWN_AGE_MAX_MS = 5_000;

const credentialNotice = 'credential:';

export type PrincipalCache = {
  /**
   * Without waiting: the credential, `unknown` for a key remembered not to exist, undefined when it
   * must be read.
   */
  peek(keyId: string): KnownCredential | 'unknown' | undefined;
  read(keyId: string): Promise<KnownCredential | 'unknown'>;
  /** Resolves when it first hears of changes. */
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
  /** Counts what may have changed: a read that began under an earlier count is not kept. */
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
      // What was read is as old as the question.
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
