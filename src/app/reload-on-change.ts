/**
 * Reads the catalog and the routes again whenever somebody changed them. Also after the connection
 * that brings the change notices was down, since notices may have been lost meanwhile.
 */
import type { Catalog } from '../catalog/catalog.ts';
import { changesChannel } from '../db/change-notice-store.ts';
import type { Database } from '../db/database.ts';
import type { Logger } from '../kernel/log.ts';
import type { Routes } from '../routing/routes.ts';

export function reloadOnChange(
  database: Database,
  catalog: Catalog,
  routes: Routes,
  log: Logger,
): AsyncDisposable {
  const reload = (what: { reload(): Promise<void> }): void => {
    what
      .reload()
      .catch((error: unknown) => log.error({ err: error }, 'cannot reload the catalog or the routes'));
  };
  return database.listen(changesChannel, {
    onNotice: (payload) => {
      if (payload === 'plans') reload(catalog);
      if (payload === 'routes') reload(routes);
    },
    // What changed while nobody listened is not known.
    onUp: () => {
      reload(catalog);
      reload(routes);
    },
    onDown: () => log.warn('the database connection that brings change notices is down'),
  });
}
