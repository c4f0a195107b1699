/**
 * Callbacks of type `transaction-update`: sent for orders that stayed pending and became final, repeated until the
 * receiver answers `{"response":"success"}`, five times at most. Not signed, as VTpass's are not.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const TRIES_MAX = 5;
const FIRST_PAUSE_MS = 500;
const ANSWER_WITHIN_MS = 10_000;

export type Callbacks = { send(reply: Readonly<Record<string, unknown>>): Promise<void> };

/** `signal` ends all that are still being tried. */
export function createCallbacks(url: string | undefined, signal: AbortSignal): Callbacks {
  return {
    send: async (reply) => {
      if (url === undefined) return;
      const body = JSON.stringify({ type: 'transaction-update', data: reply });
      for (let tries = 1; tries <= TRIES_MAX && !signal.aborted; tries += 1) {
        if (await accepted(url, body, signal)) return;
        await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1), undefined, { signal }).catch(() => undefined);
      }
    },
  };
}

async function accepted(url: string, body: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    const answer = (await response.json()) as { readonly response?: unknown } | null;
    return response.ok && answer?.response === 'success';
  } catch {
    return false;
  }
}
