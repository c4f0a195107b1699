/**
 * A wire between a gateway and its database that can be cut at a chosen statement: before the
 * database hears of it, or after it has done it and before its answer arrives. From the gateway's
 * side the two look the same.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

export type Cut = {
  /** What must have been sent over a connection, in this order, for it to be cut at the last. */
  readonly at: readonly string[];
  /** `time`: nothing is lost, but the answer is held back until `release`. */
  readonly lost: 'question' | 'answer' | 'time';
};

export type DatabaseProxy = AsyncDisposable & {
  /** For the gateway, in place of the database's own. */
  readonly connectionString: string;
  /** Cuts one connection, once. Resolves when it has. */
  cut(cut: Cut): Promise<void>;
  release(): void;
  /**
   * From now on nothing comes through the present connections, in either direction, and nobody
   * closes them. New ones are as before.
   */
  swallow(): void;
};

/** What the server sends when a statement, and the commit it brought, is done: ReadyForQuery. */
const READY = 'Z\0\0\0\u0005';

export async function openDatabaseProxy(connectionString: string): Promise<DatabaseProxy> {
  const url = new URL(connectionString);
  const folder = url.searchParams.get('host') ?? '';
  const user = url.searchParams.get('user') ?? '';
  const socketPath = join(folder, `.s.PGSQL.${url.searchParams.get('port')}`);
  const sockets = new Set<Socket>();
  let swallowed = 0;
  let opened = 0;
  let armed: { cut: Cut; done: () => void } | undefined;
  let release = (): void => undefined;
  const server = createServer((gateway) => {
    const database = connect(socketPath);
    const number = ++opened;
    const end = (): void => {
      gateway.destroy();
      database.destroy();
    };
    for (const socket of [gateway, database]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        if (number > swallowed) end();
      });
    }
    let seen = { cut: armed?.cut, steps: 0 };
    let struck: { cut: Cut; done: () => void } | undefined;
    gateway.on('data', (chunk) => {
      if (number <= swallowed) return;
      if (armed?.cut !== seen.cut) seen = { cut: armed?.cut, steps: 0 };
      const next = armed?.cut.at[seen.steps];
      if (armed !== undefined && next !== undefined && chunk.includes(next)) seen.steps += 1;
      if (armed !== undefined && seen.steps === armed.cut.at.length) {
        struck = armed;
        armed = undefined;
        if (struck.cut.lost === 'question') {
          end();
          return struck.done();
        }
      }
      database.write(chunk);
    });
    database.on('data', (chunk) => {
      if (number <= swallowed) return;
      if (struck === undefined) {
        gateway.write(chunk);
      } else if (chunk.includes(READY)) {
        if (struck.cut.lost === 'answer') end();
        else release = () => void gateway.write(chunk);
        struck.done();
        struck = undefined;
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  return {
    connectionString: `postgresql://${user}@127.0.0.1:${address.port}${url.pathname}?sslmode=disable`,
    cut: (cut) =>
      new Promise((done) => {
        armed = { cut, done };
      }),
    release: () => release(),
    swallow: () => {
      swallowed = opened;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
