/**
 * The simulator's HTTP server: the providers' paths, its books and its faults. One process, one
 * folder of books. Used by `main.ts` and, in-process, by tests.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createApp } from './app.ts';
import { bankRoutes } from './bank/routes.ts';
import { Books } from './books.ts';
import { buypowerRoutes } from './buypower/routes.ts';
import { clubkonnectRoutes } from './clubkonnect/routes.ts';
import { controlRoutes } from './control.ts';
import { easyAccessRoutes } from './easyaccess/routes.ts';
import { esimAccessRoutes } from './esimaccess/routes.ts';
import { Faults } from './faults.ts';
import { flutterwaveBillRoutes } from './flutterwave/bills.ts';
import { Lies } from './lies.ts';
import { nombaRoutes } from './nomba/routes.ts';
import { ogdamsRoutes } from './ogdams/routes.ts';
import { panelRoutes } from './panel/routes.ts';
import { reloadlyRoutes } from './reloadly/routes.ts';
import type { Settings } from './settings.ts';
import { smeplugRoutes } from './smeplug/routes.ts';
import { statementRoutes } from './statements.ts';
import { termiiRoutes } from './termii/routes.ts';
import { vtpassRoutes } from './vtpass/routes.ts';
import { vtungRoutes } from './vtung/routes.ts';

export type Simulator = {
  /** `http://HOST:PORT` */
  readonly url: string;
  /** Cuts running calls, writes accepted orders, closes the books. */
  close(): Promise<void>;
};

export async function startSimulator(settings: Settings): Promise<Simulator> {
  const opening = Promise.withResolvers<void>();
  const app = createApp((answer) =>
    // Calls before the books are open wait for them.
    createServer((request, response) => void opening.promise.then(() => answer(request, response))),
  );
  const { server } = app;
  // Longer than the clients hold theirs: the side that reuses connections should be the one that
  // closes them.
  server.keepAliveTimeout = 65_000;
  server.listen(settings.port, settings.host);
  // Before the books are opened: a second simulator on the same port must not open those of the
  // first.
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    await stop(server);
    await app.close();
  };
  try {
    await openProviders(app, settings);
  } catch (error) {
    await close();
    throw error;
  }
  opening.resolve();
  return { url: `http://${settings.host}:${port}`, close };
}

async function openProviders(app: FastifyInstance, settings: Settings): Promise<void> {
  const books = await Books.open(settings.folder);
  // Registered first, so it runs last: the providers that close before it may still write.
  app.addHook('onClose', () => books.close());
  const simulation = { books, faults: new Faults(), lies: new Lies(), settings };
  await app.register(vtpassRoutes, { ...simulation, prefix: '/vtpass/api/' });
  await app.register(nombaRoutes, { ...simulation, prefix: '/nomba/' });
  await app.register(reloadlyRoutes, { ...simulation, prefix: '/reloadly/' });
  await app.register(esimAccessRoutes, { ...simulation, prefix: '/esimaccess/' });
  await app.register(clubkonnectRoutes, { ...simulation, prefix: '/clubkonnect/' });
  await app.register(smeplugRoutes, { ...simulation, prefix: '/smeplug/' });
  await app.register(buypowerRoutes, { ...simulation, prefix: '/buypower/v2/' });
  await app.register(flutterwaveBillRoutes, { ...simulation, prefix: '/flutterwave-bills/v3/' });
  await app.register(vtungRoutes, { ...simulation, prefix: '/vtung/' });
  await app.register(easyAccessRoutes, { ...simulation, prefix: '/easyaccess/' });
  await app.register(ogdamsRoutes, { ...simulation, prefix: '/ogdams/' });
  await app.register(panelRoutes, { ...simulation, prefix: '/panel' });
  await app.register(termiiRoutes, simulation);
  await app.register(bankRoutes, simulation);
  await app.register(statementRoutes, simulation);
  await app.register(controlRoutes, simulation);
  await app.ready();
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
