/** The routes of all listeners, and the location of the access page. */
import { join } from 'node:path';
import { buildConsoleServer } from '../../../src/backoffice/console/server.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { buildEdge } from '../../api/harness.ts';
import { accessPage, type Route, routesIn } from './table.ts';

export const accessPagePath = join(import.meta.dirname, '..', '..', '..', 'docs', 'maintainers', 'access.md');

export type Routes = { readonly api: readonly Route[]; readonly console: readonly Route[] };

/** As the servers list them, without a database behind them. */
export async function readRoutes(): Promise<Routes> {
  const { app } = await buildEdge({}, { isHeldToDocument: false });
  const nothing = {} as never;
  const people = await buildConsoleServer({
    services: nothing,
    database: nothing,
    sealer: nothing,
    pepper: nothing,
    face: 'console',
    built: '',
    clock: systemClock,
    environment: 'production',
    url: undefined,
    host: '127.0.0.1',
    trustedProxies: [],
    log: { info: () => undefined, error: () => undefined },
  });
  const drawn = { commonPrefix: false };
  const routes = { api: routesIn(app.printRoutes(drawn)), console: routesIn(people.printRoutes(drawn)) };
  await app.close();
  await people.close();
  return routes;
}

export function pageOfAccess({ api }: Routes): string {
  return accessPage(api);
}
