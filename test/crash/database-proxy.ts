/**
 * A proxy between a gateway and its database. It can cut the connection at a chosen statement:
 * before the database receives it, or after the database has executed it and before the answer
 * arrives. The gateway cannot distinguish the two. It can also cut all connections, slow them down,
 * or stop forwarding.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type Cut = {
  /** Messages in order. The connection is cut at the last one. */
  readonly at: readonly string[];
  /** `time`: nothing is lost, but the answer is held back until `release`. */
  readonly lost: 'question' | 'answer' | 'time';
};

export type DatabaseProxy = AsyncDisposable & {
  /** The address for the gateway, which replaces the database's own. */
  readonly connectionString: string;
  /** Cuts one connection, once. Resolves when it has been cut. */
  cut(cut: Cut): Promise<void>;
  release(): void;
  /**
   * Stops all data on the current connections, in both directions, without closing them. New
   * connections work as before.
   */
  swallow(): void;
  /** Ends all current connections, including stopped ones. */
  sever(): void;
  /** Whether new connections are ended at once. */
  refuse(refusing: boolean): void;
  /** From now on all data arrives later by this time, in order. */
  delay(ms: number): void;
};

/** ReadyForQuery: the server has finished a statement and its commit. */
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
  let refusing = false;
  let delayMs = 0;
  /** Writes in the order of the calls, each with the delay that was set when it was called. */
  const writer = (to: Socket): ((chunk: Buffer | string) => void) => {
    let waiting = 0;
    let last = Promise.resolve();
    return (chunk) => {
      if (delayMs === 0 && waiting === 0) {
        to.write(chunk);
        return;
      }
      const dueAt = performance.now() + delayMs;
      waiting += 1;
      last = last.then(async () => {
        await sleep(Math.max(0, dueAt - performance.now()));
        waiting -= 1;
        to.write(chunk);
      });
    };
  };
  const server = createServer((gateway) => {
    if (refusing) {
      gateway.destroy();
      return;
    }
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
    const [toDatabase, toGateway] = [writer(database), writer(gateway)];
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
      toDatabase(chunk);
    });
    database.on('data', (chunk) => {
      if (number <= swallowed) return;
      if (struck === undefined) {
        toGateway(chunk);
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
    sever: () => {
      for (const socket of sockets) socket.destroy();
    },
    refuse: (now) => {
      refusing = now;
    },
    delay: (ms) => {
      delayMs = ms;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
