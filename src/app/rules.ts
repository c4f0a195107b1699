/** State that is read from the database and kept in memory until its rows change. */
import { type Catalog, loadCatalog } from '../catalog/catalog.ts';
import { type Guards, loadGuards } from '../catalog/margins/guards.ts';
import { loadRoutes, type Routes } from '../catalog/routes/routes.ts';
import type { Database } from '../db/database.ts';
import { loadRestoreLock, type RestoreLock } from '../operate/restore-lock/restore-lock.ts';

export type Rules = {
  readonly catalog: Catalog;
  readonly routes: Routes;
  readonly guards: Guards;
  readonly restoreLock: RestoreLock;
};

export async function loadRules(database: Database): Promise<Rules> {
  return {
    catalog: await loadCatalog(database),
    routes: await loadRoutes(database),
    guards: await loadGuards(database),
    restoreLock: await loadRestoreLock(database),
  };
}
