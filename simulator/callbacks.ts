/** Sends callbacks to the gateway, repeated until they are accepted, at most five times. */
import { setTimeout as sleep } from 'node:timers/promises';

const TRIES_MAX = 5;
const FIRST_PAUSE_MS = 500;
const ANSWER_WITHIN_MS = 10_000;

export type Callback = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the receiver's answer ends it. */
  readonly isAccepted: (response: Response) => Promise<boolean>;
};

/**
 * Resolves when it was accepted or given up; `signal` ends it early. Without a URL nothing is sent.
 */
export async function callBack(
  url: string | undefined,
  callback: Callback,
  signal: AbortSignal,
): Promise<void> {
  if (url === undefined) return;
  for (let tries = 1; tries <= TRIES_MAX && !signal.aborted; tries += 1) {
    if (await send(url, callback, signal)) return;
    await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1), undefined, { signal }).catch(() => undefined);
  }
}

async function send(url: string, callback: Callback, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...callback.headers },
      body: JSON.stringify(callback.body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    return await callback.isAccepted(response);
  } catch {
    return false;
  }
}
