/**
 * The simulator's HTTP server: the providers' paths, its books and its faults. One process, one folder of books. Used
 * by `main.ts` and, in-process, by tests.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Bank } from './bank/bank.ts';
import { answerBank } from './bank/routes.ts';
import { Books, deliveryLine } from './books.ts';
import { type EsimAccess, openEsimAccess } from './esimaccess/esimaccess.ts';
import { answerEsimAccess } from './esimaccess/routes.ts';
import { Faults } from './faults.ts';
import { json, type Reply, readJson, send } from './http.ts';
import { answerMonnify } from './monnify/routes.ts';
import { type Nomba, openNomba } from './nomba/nomba.ts';
import { answerNomba } from './nomba/routes.ts';
import { answerPaystack } from './paystack/routes.ts';
import { openReloadly, type Reloadly } from './reloadly/reloadly.ts';
import { answerReloadly } from './reloadly/routes.ts';
import type { Settings } from './settings.ts';
import { answerTermii } from './termii/routes.ts';
import { Termii } from './termii/termii.ts';
import { answerVtpass } from './vtpass/routes.ts';
import { openVtpass, type Vtpass } from './vtpass/vtpass.ts';

export type Simulator = {
  /** `http://HOST:PORT` */
  readonly url: string;
  /** Cuts what is under way, writes what was taken, closes the books. */
  close(): Promise<void>;
};

export async function startSimulator(settings: Settings): Promise<Simulator> {
  const opening = Promise.withResolvers<World>();
  const server = createServer((request, response) => {
    void opening.promise.then((world) => respond(world, request, response));
  });
  // Longer than the callers keep theirs: the side that reuses connections should be the one that closes them.
  server.keepAliveTimeout = 65_000;
  server.listen(settings.port, settings.host);
  // Before the books are touched: a second simulator on the same port must not open the first one's.
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const world = await openWorld(settings).catch(async (error: unknown) => {
    await stop(server);
    throw error;
  });
  opening.resolve(world);
  return {
    url: `http://${settings.host}:${port}`,
    close: async () => {
      world.vtpass.account.close();
      world.nomba.account.close();
      world.reloadly.account.close();
      world.esimaccess.account.close();
      await stop(server);
      await world.bank.close();
      await world.termii.close();
      await world.books.close();
    },
  };
}

type World = {
  readonly books: Books;
  readonly faults: Faults;
  readonly vtpass: Vtpass;
  readonly nomba: Nomba;
  readonly bank: Bank;
  readonly reloadly: Reloadly;
  readonly esimaccess: EsimAccess;
  readonly termii: Termii;
};

async function openWorld(settings: Settings): Promise<World> {
  const books = await Books.open(settings.folder);
  const faults = new Faults();
  const common = { books, faults, settings };
  return {
    books,
    faults,
    vtpass: await openVtpass(common),
    nomba: await openNomba(common),
    bank: await Bank.open(settings, faults),
    reloadly: await openReloadly(common),
    esimaccess: await openEsimAccess(common),
    termii: await Termii.open(common),
  };
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

async function respond(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const url = new URL(request.url ?? '/', 'http://simulator');
    if (url.pathname.startsWith('/vtpass/api/')) {
      await send(response, await answerVtpass(world.vtpass, request, url));
    } else if (url.pathname.startsWith('/nomba/')) {
      await send(response, await answerNomba(world.nomba, request, url));
    } else if (url.pathname.startsWith('/monnify/')) {
      await send(response, await answerMonnify(world.bank, request, url));
    } else if (url.pathname.startsWith('/paystack/')) {
      await send(response, await answerPaystack(world.bank, request, url));
    } else if (url.pathname.startsWith('/bank/')) {
      await send(response, await answerBank(world.bank, request, url));
    } else if (url.pathname.startsWith('/reloadly/')) {
      await send(response, await answerReloadly(world.reloadly, request, url));
    } else if (url.pathname.startsWith('/esimaccess/')) {
      await send(response, await answerEsimAccess(world.esimaccess, request, url));
    } else if (url.pathname.startsWith('/termii/')) {
      await send(response, await answerTermii(world.termii, request, url));
    } else if (request.method === 'GET' && url.pathname === '/books') {
      await sendLines(world.books.deliveries(), deliveryLine, response);
    } else if (request.method === 'GET' && url.pathname === '/messages') {
      await sendLines(world.termii.messages(), (message) => JSON.stringify(message), response);
    } else {
      await send(response, await answerOwn(world, request, url));
    }
  } catch (error) {
    if (!request.destroyed) console.error('simulator:', error);
    if (response.headersSent) response.destroy();
    else await send(response, json({ message: 'Server Error' }, 500));
  }
}

async function answerOwn({ faults }: World, request: IncomingMessage, url: URL): Promise<Reply> {
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /healthz':
      return json({ status: 'ok' });
    case 'GET /faults':
      return json(faults);
    case 'PUT /faults': {
      const wrong = faults.replace(await readJson(request));
      return wrong.length > 0 ? json({ errors: wrong }, 400) : json(faults);
    }
    case 'DELETE /faults':
      faults.clear();
      return json(faults);
    default:
      return json({ message: 'Not Found' }, 404);
  }
}

/** NDJSON, as of the moment of asking. */
async function sendLines<T>(
  entries: readonly T[],
  lineOf: (entry: T) => string,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  // A reader that goes away ends it early, which is no fault of ours.
  await pipeline(blocksOfLines(entries, lineOf), response).catch(() => undefined);
}

const LINES_AT_ONCE = 1_000;

function* blocksOfLines<T>(entries: readonly T[], lineOf: (entry: T) => string): Generator<string> {
  const count = entries.length;
  for (let from = 0; from < count; from += LINES_AT_ONCE) {
    const lines = entries.slice(from, Math.min(from + LINES_AT_ONCE, count)).map(lineOf);
    yield `${lines.join('\n')}\n`;
  }
}
