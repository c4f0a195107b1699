/** How many connections each listener of a process takes, and what is logged and counted of it. */
import type { Server } from 'node:http';
import type { Registry } from 'prom-client';
import { BoundedLines } from '../kernel/bounded-lines.ts';
import type { Logger } from '../kernel/log.ts';
import { gauge, total } from './collected-metrics.ts';
import type { Config } from './config.ts';
import type { Listener } from './connections-config.ts';

/** To be called with each server before it listens. */
export type BoundListener = (listener: Listener, server: Server) => void;

/** What a listener is started with. */
export type ListenParts = {
  readonly log: Logger;
  /** It is closed with this. */
  readonly stack: AsyncDisposableStack;
  readonly bound: BoundListener;
};

/** Of each listener one line a second, and the number of the others. */
const lines = { each: 1, all: 10, countedMax: 20 };

/** Node.js closes each connection beyond the limit at once, before it reads a byte of it. */
export function connectionBounds(
  { connectionsMax }: Pick<Config, 'connectionsMax'>,
  registry: Registry,
  log: Pick<Logger, 'warn'>,
): BoundListener {
  const open = new Map<Listener, number>();
  const refused = new Map<Listener, number>();
  gauge(registry, 'oja_connections', 'Open connections of a listener', ['listener'], (set) => {
    for (const [listener, count] of open) set({ listener }, count);
  });
  const name = 'oja_connections_refused_total';
  total(registry, name, 'Connections closed at once: no place was left', ['listener'], (set) => {
    for (const [listener, count] of refused) set({ listener }, count);
  });
  const refusals = new BoundedLines(
    (listener, reason, count) => log.warn({ listener, reason, count }, 'more connections refused'),
    lines,
  );
  return (listener, server) => {
    const max = connectionsMax[listener];
    const count = (counts: Map<Listener, number>, by: number): void => {
      counts.set(listener, (counts.get(listener) ?? 0) + by);
    };
    count(open, 0);
    count(refused, 0);
    server.maxConnections = max;
    server.on('connection', (socket) => {
      count(open, 1);
      socket.once('close', () => count(open, -1));
    });
    server.on('drop', (data) => {
      count(refused, 1);
      if (!refusals.admit(listener, 'full')) return;
      log.warn({ listener, address: data?.remoteAddress, max }, 'connection refused');
    });
  };
}
