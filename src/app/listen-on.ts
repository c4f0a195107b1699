/**
 * Listens on all the addresses of a host. `localhost` may have two, of IPv4 and of IPv6, and a
 * client takes either.
 *
 * Guarantee: a connection is the same server's whatever address it came to, so that what cannot
 * become a request is refused in the same words. Fastify would open a second server for the second
 * address, without the handlers of the first.
 */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../kernel/log.ts';

/** One of them, but for `localhost`. */
export async function addressesOf(host: string): Promise<readonly string[]> {
  if (host !== 'localhost') return [host];
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** A further address that cannot be had is passed over, with a warning. Gives the port. */
export async function listenOn(
  app: FastifyInstance,
  [first = '127.0.0.1', ...further]: readonly string[],
  wantedPort: number,
  log: Pick<Logger, 'warn'>,
): Promise<number> {
  await app.listen({ host: first, port: wantedPort });
  const address = app.server.address();
  const port = typeof address === 'object' ? (address?.port ?? wantedPort) : wantedPort;
  for (const host of further) {
    // The options that a server of Node's own listens with.
    const extra = createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) =>
      app.server.emit('connection', socket),
    );
    try {
      extra.listen(port, host);
      await once(extra, 'listening');
      app.server.once('close', () => extra.close());
    } catch (error) {
      log.warn({ err: error, host, port }, 'cannot listen on a further address of this host');
    }
  }
  return port;
}
