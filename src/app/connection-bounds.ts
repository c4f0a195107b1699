/** The connection limits of a process's listeners, and their log lines. */
import type { Server } from 'node:http';
import type { Registry } from 'prom-client';
import { boundConnections, type ConnectionCounts, type DropReason } from '../api/edge/bound-connections.ts';
import { BoundedLines } from '../core/bounded-lines.ts';
import type { Logger } from '../core/log.ts';
import { gauge, total } from './collected-metrics.ts';
import type { Config } from './config.ts';

/**
 * Connections of each listener. An idle connection uses about 15 KB, so the API's use about 60 MB.
 */
const places = { api: 4_096, admin: 256, console: 1_024, portal: 1_024, metrics: 64 } as const;

type Listener = keyof typeof places;

/** Limits a server. Call it before the server listens. */
export type BoundListener = (listener: Listener, server: Server) => void;

/** The dependencies of a listener. */
export type ListenParts = {
  readonly log: Logger;
  /** Closes the listener with it. */
  readonly stack: AsyncDisposableStack;
  readonly bound: BoundListener;
};

/** Limits for public listeners: one address gets at most a quarter of the connections. */
const shared: ReadonlySet<Listener> = new Set<Listener>(['api', 'console', 'portal']);
const SHARES = 4;

/** Logs one line per second for each listener and reason, with the number of suppressed lines. */
const lines = { each: 1, all: 10, countedMax: 20 };

export function connectionBounds(
  { trustedProxies: proxies }: Pick<Config, 'trustedProxies'>,
  registry: Registry,
  log: Pick<Logger, 'warn'>,
): BoundListener {
  const counted = new Map<Listener, () => ConnectionCounts>();
  watchConnections(registry, counted);
  const refusals = new BoundedLines(
    (listener, reason, count) => log.warn({ listener, reason, count }, 'more connections refused'),
    lines,
  );
  return (listener, server) => {
    const max = places[listener];
    const share = shared.has(listener) ? Math.ceil(max / SHARES) : max;
    const onDrop = (reason: DropReason, address: string): void => {
      if (!refusals.admit(listener, reason)) return;
      log.warn({ listener, reason, address, max: reason === 'full' ? max : share }, 'connection refused');
    };
    counted.set(listener, boundConnections(server, { max, share, proxies, onDrop }));
  };
}

function watchConnections(registry: Registry, counted: ReadonlyMap<Listener, () => ConnectionCounts>): void {
  gauge(registry, 'oja_connections', 'Open connections of a listener', ['listener'], (set) => {
    for (const [listener, count] of counted) set({ listener }, count().open);
  });
  total(
    registry,
    'oja_connections_refused_total',
    'Connections closed at once, because the limit was reached or their address had used its share',
    ['listener', 'reason'],
    (set) => {
      for (const [listener, count] of counted) {
        const { full, share } = count().dropped;
        set({ listener, reason: 'full' }, full);
        set({ listener, reason: 'share' }, share);
      }
    },
  );
}
