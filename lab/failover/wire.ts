/**
 * A connection to a server that can be cut as a network is: packets vanish, and neither side is
 * notified.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Wire = AsyncDisposable & {
  readonly port: number;
  /** From now on packets vanish in both directions, also of new connections. Nothing is closed. */
  cut(): void;
  /** New connections work again. Those that were cut are closed. */
  mend(): void;
};

/** To a port of this machine. */
export async function openWire(target: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (chunk) => {
        if (!isCut && !to.write(chunk)) from.pause();
      });
      to.on('drain', () => from.resume());
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        if (!isCut) to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
    },
    mend: () => {
      closeAll();
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      closeAll();
      await once(server, 'close');
    },
  };
}
