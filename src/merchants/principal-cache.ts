/**
 * Caches credentials and merchant profiles between requests, as long as it is notified of changes.
 *
 * Guarantees: an entry is dropped when a change notification names it; no entry is trusted while
 * the connection for notifications is down, or longer than a minute; a value that was read before a
 * notification arrived is not cached after it.
 *
 * On several servers, credentials that were known when the coordinator went away are used while it
 * is away, if a copy of the tables at a worker confirms them for each request. Nothing can change
 * there meanwhile.
 */

import { LRUCache } from 'lru-cache';
import { ageBy, type Clock } from '../core/clock.ts';
import { answerSoon } from '../db/answer-soon.ts';
import { changesChannel } from '../db/change-notice-store.ts';
import type { Database } from '../db/database.ts';
import { isConnectionLost, isUnavailable } from '../db/database-errors.ts';
import { createPrincipalLoader, type KnownCredential } from './principal-loader.ts';

const KNOWN_MAX = 10_000;
const UNKNOWN_MAX = 10_000;
/** A second protection besides the notices: a half-dead connection may lose notices undetected. */
const KNOWN_AGE_MAX_MS = 60_000;
/** Short, because a key that is issued later must work even if its notice is lost. */
const UNKNOWN_AGE_MAX_MS = 5_000;

/** A slower coordinator counts as away. */
const AWAY_MS = 1_000;

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

/** Returns whether the copy of the tables at the merchant's worker has the same credential. */
export type ConfirmCredential = (keyId: string, known: KnownCredential) => Promise<boolean>;

export function createPrincipalCache(
  database: Database,
  clock: Clock,
  confirm?: ConfirmCredential,
): PrincipalCache {
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
  /** What is used while the coordinator is away, where each use is confirmed. */
  const kept = new LRUCache<string, KnownCredential>({ max: KNOWN_MAX });
  let trusted = false;
  /** Counts possible changes. A read that began at an earlier count is not cached. */
  let changes = 0;

  const forgetAll = (): void => {
    changes += 1;
    known.clear();
    unknown.clear();
    kept.clear();
  };
  const onNotice = (payload: string): void => {
    if (payload.startsWith(credentialNotice)) {
      const keyId = payload.slice(credentialNotice.length);
      changes += 1;
      known.delete(keyId);
      unknown.delete(keyId);
      kept.delete(keyId);
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
      changes += 1;
      known.clear();
      unknown.clear();
    },
  });

  const load = async (keyId: string): Promise<KnownCredential | undefined> => {
    try {
      const isSure = trusted || confirm === undefined;
      return await (isSure ? loader.load(keyId) : answerSoon(loader.load(keyId), AWAY_MS));
    } catch (error) {
      const before = kept.get(keyId);
      const isAway = isUnavailable(error) || isConnectionLost(error);
      const isKept = !trusted && before !== undefined && isAway && (await confirm?.(keyId, before));
      if (isKept === true) return before;
      throw error;
    }
  };
  return {
    ready: ready.promise,
    peek: (keyId) => (trusted ? (known.get(keyId) ?? unknown.get(keyId)) : undefined),
    read: async (keyId) => {
      const changesBefore = changes;
      // The age of an entry counts from when the read began.
      const start = clock.elapsedMs();
      const credential = await load(keyId);
      if (trusted && changes === changesBefore) {
        if (credential === undefined) unknown.set(keyId, 'unknown', { start });
        else {
          known.set(keyId, credential, { start });
          if (confirm !== undefined) kept.set(keyId, credential);
        }
      }
      return credential ?? 'unknown';
    },
    [Symbol.asyncDispose]: async () => {
      await listener[Symbol.asyncDispose]();
    },
  };
}
