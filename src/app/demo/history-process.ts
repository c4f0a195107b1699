/**
 * Gives a new demo its history: a child process that buys through the gateway's own interfaces
 * (demo/main.ts). The gateway neither waits for it nor needs it.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../core/log.ts';
import type { Variables } from '../config.ts';

const entry = fileURLToPath(new URL('../../../demo/main.ts', import.meta.url));
/** The user agent of the history's requests (demo/client.ts). */
const HISTORY_AGENT = 'oja-demo-history';
const SAID_MAX = 2_000;

export type HistoryOptions = {
  /** Of the gateway. */
  readonly url: string;
  readonly simulatorUrl: string;
  readonly dataDir: string;
  /** The variables of the gateway, because `oja` refunds one of the purchases. */
  readonly variables: Variables;
  readonly log: Logger;
};

/** Dispose of it to end it. The next start continues the history. */
export type History = AsyncDisposable & {
  /** Counts a request of the history in place of its log line; false for any other request. */
  countRequest(userAgent: string | undefined): boolean;
};

export function startHistory(options: HistoryOptions): History {
  const child = fork(entry, [options.url, options.simulatorUrl, options.dataDir], {
    env: options.variables,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  let requests = 0;
  let isRunning = true;
  let isStopping = false;
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(0, SAID_MAX);
  });
  const gone = once(child, 'close').catch((error: Error) => {
    said = error.message;
  });
  void gone.then(() => {
    isRunning = false;
    if (isStopping) return;
    if (said !== '') options.log.warn({ said }, 'the history of the demo is not complete');
    else options.log.info({ requests }, 'the history of the demo is complete');
  });
  return {
    countRequest: (userAgent) => {
      const isOfHistory = isRunning && userAgent === HISTORY_AGENT;
      if (isOfHistory) requests += 1;
      return isOfHistory;
    },
    [Symbol.asyncDispose]: async () => {
      isStopping = true;
      child.kill('SIGKILL');
      await gone;
    },
  };
}
