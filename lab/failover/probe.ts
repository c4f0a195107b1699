/** Buyers who record when a purchase succeeded, to measure the time without sales. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyPair } from '../../test/support/gateway.ts';
import type { ClientAnswer, Purchase } from '../../test/support/load.ts';

export type Probe = {
  /** When purchases succeeded, in milliseconds of the monotonic clock. */
  readonly successes: readonly number[];
  readonly purchases: readonly Purchase[];
  stop(): Promise<void>;
};

const EVERY_MS = 200;
const ANSWER_MS = 90_000;

export function startProbe(name: string, urls: readonly string[], { key, secret }: KeyPair): Probe {
  const successes: number[] = [];
  const purchases: Purchase[] = [];
  const under: Promise<void>[] = [];
  const ended = new AbortController();
  const buy = async (number: number): Promise<void> => {
    const purchase: Purchase = { reference: `probe-${name}-${number}`, answers: [] };
    purchases.push(purchase);
    const answer = await create(urls[number % urls.length] ?? '', purchase.reference, { key, secret });
    purchase.answers.push({ ...answer, at: new Date() });
    if ('outcome' in answer && answer.outcome === 'success') successes.push(performance.now());
  };
  const all = (async () => {
    for (let number = 0; !ended.signal.aborted; number += 1) {
      under.push(buy(number));
      await sleep(EVERY_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
    await Promise.all(under);
  })();
  return {
    successes,
    purchases,
    stop: async () => {
      ended.abort();
      await all;
    },
  };
}

async function create(url: string, reference: string, { key, secret }: KeyPair): Promise<ClientAnswer> {
  const by = 'create';
  try {
    const answer = await fetch(`${url}/v1/transactions/airtime/sync`, {
      method: 'POST',
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: { 'content-type': 'application/json', 'x-merchant-key': key, 'x-merchant-secret': secret },
      body: JSON.stringify({
        merchant: 'DEMO',
        network: 'mtn',
        msisdn: '08031112233',
        amount: '50',
        request_ref: reference,
      }),
    });
    const { status } = (await answer.json()) as { status?: string };
    const outcome = answer.status === 200 ? status : undefined;
    return { by, status: answer.status, ...(outcome !== undefined && { outcome }) };
  } catch {
    return { by, status: 'lost' };
  }
}
