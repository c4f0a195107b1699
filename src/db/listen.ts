/**
 * LISTEN on a separate connection for the life of the process.
 *
 * Guarantees: reconnects for ever with back-off; `onUp` is called after every (re)connection,
 * because notifications sent in between are lost and the listener must read the current state
 * itself; a silent connection is abandoned within seconds, even without a close; after disposal no
 * handler is called.
 */
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type ClientTerms, ServerClient } from './server-client.ts';

export type ListenHandlers = {
  readonly onNotice: (payload: string) => void;
  readonly onUp: () => void;
  readonly onDown: () => void;
};

const backoffMinMs = 100;
const backoffMaxMs = 5_000;
/** How often a listener, which sends nothing else, checks that its server is there. */
const beatMs = 2_000;
const beatAnswerMs = 5_000;
/** How long the server has to close the connection after the request to end it. */
const goodbyeMs = 1_000;

export function listenOn(terms: ClientTerms, channel: string, handlers: ListenHandlers): AsyncDisposable {
  const stop = new AbortController();
  const finished = listenUntil(stop.signal, terms, channel, handlers);
  return {
    async [Symbol.asyncDispose](): Promise<void> {
      stop.abort();
      await finished;
    },
  };
}

async function listenUntil(
  stop: AbortSignal,
  terms: ClientTerms,
  channel: string,
  handlers: ListenHandlers,
): Promise<void> {
  let backoffMs = backoffMinMs;
  while (!stop.aborted) {
    const wasUp = await listenOnce(stop, terms, channel, handlers);
    if (stop.aborted) {
      return;
    }
    backoffMs = wasUp ? backoffMinMs : Math.min(backoffMs * 2, backoffMaxMs);
    // Half fixed, half random, so that processes that lost their database do not all reconnect at
    // the same moment.
    const waitMs = backoffMs / 2 + (Math.random() * backoffMs) / 2;
    await sleep(waitMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

/**
 * Runs one connection from its start to its end. Returns true if it began to listen. Never rejects.
 */
async function listenOnce(
  stop: AbortSignal,
  terms: ClientTerms,
  channel: string,
  handlers: ListenHandlers,
): Promise<boolean> {
  const socket = new Socket();
  const config = { ...terms.config, query_timeout: beatAnswerMs, stream: () => socket };
  const client = new ServerClient({ ...terms, config });
  const ended = new AbortController();
  const end = (): void => ended.abort();
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
      await beat(client, ended.signal);
    }
  } catch {
    // Unreachable: the caller tries again.
  }
  stop.removeEventListener('abort', end);
  await close(client, socket);
  if (up && !stop.aborted) {
    handlers.onDown();
  }
  return up;
}

/** Waits until the connection has ended. Rejects when the server does not answer in time. */
async function beat(client: pg.Client, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await sleep(beatMs, undefined, { signal: ended }).catch(() => undefined);
    if (!ended.aborted) await client.query('select');
  }
}

/** Destroys the connection if the server is gone and does not close it. */
async function close(client: pg.Client, socket: Socket): Promise<void> {
  const gone = client.end().catch(() => undefined);
  const enough = new AbortController();
  const { signal } = enough;
  await Promise.race([gone, sleep(goodbyeMs, undefined, { signal }).catch(() => undefined)]);
  enough.abort();
  socket.destroy();
}
