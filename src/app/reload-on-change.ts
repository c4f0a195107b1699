/**
 * Reloads the catalog, the routes, the guards, the restore lock and the credentials of providers
 * after each change notice, after the notice connection was interrupted, and periodically, because
 * a notice may be lost. A failed reload is repeated.
 */

import type { Logger } from '../core/log.ts';
import { changesChannel } from '../db/change-notice-store.ts';
import type { Database } from '../db/database.ts';

type Reloadable = { reload(): Promise<void> };

type Reloadables = {
  readonly catalog: Reloadable;
  readonly routes: Reloadable;
  readonly guards: Reloadable;
  readonly restoreLock: Reloadable;
  /** The credentials of providers. */
  readonly providers: Reloadable;
};

export type Reloading = AsyncDisposable & {
  /** Reads everything again. Rejects if that fails. */
  reloadAll(): Promise<void>;
};

const RETRY_MIN_MS = 250;
const RETRY_MAX_MS = 10_000;

export function reloadOnChange(
  database: Pick<Database, 'listen'>,
  { catalog, routes, guards, restoreLock, providers }: Reloadables,
  log: Logger,
): Reloading {
  const byNotice = new Map([
    ['plans', catalog],
    ['routes', routes],
    ['guards', guards],
    ['restore_lock', restoreLock],
    ['providers', providers],
  ]);
  const retries = new Map<Reloadable, NodeJS.Timeout>();
  let stopped = false;
  const reload = (what: Reloadable, pauseMs = RETRY_MIN_MS): void => {
    clearTimeout(retries.get(what));
    retries.delete(what);
    what.reload().catch((error: unknown) => {
      if (stopped) return;
      log.error(
        { err: error },
        'cannot reload the catalog, the routes, the guards, the restore lock or the credentials of providers: trying again',
      );
      clearTimeout(retries.get(what));
      const again = setTimeout(() => reload(what, Math.min(2 * pauseMs, RETRY_MAX_MS)), pauseMs);
      retries.set(what, again);
    });
  };
  const listener = database.listen(changesChannel, {
    onNotice: (payload) => {
      const changed = byNotice.get(payload);
      if (changed !== undefined) reload(changed);
    },
    // Changes while the listener was down are unknown.
    onUp: () => {
      for (const reloadable of byNotice.values()) reload(reloadable);
    },
    onDown: () => log.warn('the database connection that brings change notices is down'),
  });
  return {
    reloadAll: async () => {
      await Promise.all([...byNotice.values()].map((reloadable) => reloadable.reload()));
    },
    async [Symbol.asyncDispose]() {
      stopped = true;
      await listener[Symbol.asyncDispose]();
      for (const timer of retries.values()) clearTimeout(timer);
    },
  };
}
