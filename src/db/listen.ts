/**
 * LISTEN on a connection of its own, for as long as the process lives.
 *
 * Guarantees: reconnects for ever with back-off; `onUp` is called after every (re)connection,
 * because notices sent in between are lost and the listener must read for itself; after disposal no
 * handler is called.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export type ListenHandlers = {
  readonly onNotice: (payload: string) => void;
  readonly onUp: () => void;
  readonly onDown: () => void;
};

const backoffMinMs = 100;
const backoffMaxMs = 5_000;

export function listenOn(
  config: pg.ClientConfig,
  channel: string,
  handlers: ListenHandlers,
): AsyncDisposable {
  const stop = new AbortController();
  const finished = listenUntil(stop.signal, config, channel, handlers);
  return {
    async [Symbol.asyncDispose](): Promise<void> {
      stop.abort();
      await finished;
    },
  };
}

async function listenUntil(
  stop: AbortSignal,
  config: pg.ClientConfig,
  channel: string,
  handlers: ListenHandlers,
): Promise<void> {
  let backoffMs = backoffMinMs;
  while (!stop.aborted) {
    const wasUp = await listenOnce(stop, config, channel, handlers);
    if (stop.aborted) {
      return;
    }
    backoffMs = wasUp ? backoffMinMs : Math.min(backoffMs * 2, backoffMaxMs);
    // Half fixed, half random: processes that lost their database must not all come back at the
    // same moment.
    const waitMs = backoffMs / 2 + (Math.random() * backoffMs) / 2;
    await sleep(waitMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

/** One connection from its start to its end. True if it got as far as listening. Never rejects. */
async function listenOnce(
  stop: AbortSignal,
  config: pg.ClientConfig,
  channel: string,
  handlers: ListenHandlers,
): Promise<boolean> {
  const client = new pg.Client(config);
  const ended = Promise.withResolvers<void>();
  const end = (): void => ended.resolve();
  client.on('end', end);
  client.on('error', end);
  stop.addEventListener('abort', end);
  client.on('notification', (notice) => {
    if (!stop.aborted) {
      handlers.onNotice(notice.payload ?? '');
    }
  });
  let up = false;
  try {
    await client.connect();
    await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    up = true;
    if (!stop.aborted) {
      handlers.onUp();
      await ended.promise;
    }
  } catch {
    // Not reachable: the caller tries again.
  }
  stop.removeEventListener('abort', end);
  await client.end().catch(() => undefined);
  if (up && !stop.aborted) {
    handlers.onDown();
  }
  return up;
}
