/**
 * Test purchases while a row disturbs the gateway, one after the other: the effect on other
 * merchants.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorWords, saidIn } from './client.ts';
import type { Merchant } from './operator.ts';
import type { Site } from './site.ts';

export type Beside = {
  /** The longest time from a request to its final outcome, in milliseconds. */
  readonly worstMs: number;
  readonly count: number;
  /** The failures, as readable text; empty if there are none. */
  readonly errors: string;
};

const PAUSE_MS = 300;
const POLL_MS = 50;
/** The longest wait that is still useful to a client. */
const PATIENCE_MS = 120_000;

let runs = 0;

/**
 * Buys with a merchant's test credential, alternating sync and async, until `work` is done. Each
 * purchase is followed until it is final.
 */
export async function buyBeside<T>(
  site: Site,
  merchant: Merchant,
  work: Promise<T>,
): Promise<{ readonly result: T; readonly beside: Beside }> {
  runs += 1;
  const run = runs;
  let done = false;
  const result = work.finally(() => {
    done = true;
  });
  // Read only after the await below.
  result.catch(() => undefined);
  let [worstMs, count] = [0, 0];
  const errors: Record<string, number> = {};
  while (!done) {
    const wrong: string[] = [];
    for (const mode of ['sync', 'async'] as const) {
      const startedAt = performance.now();
      const error = await buy(site, merchant, mode, `beside-${run}-${count}`);
      worstMs = Math.max(worstMs, performance.now() - startedAt);
      count += 1;
      if (error !== undefined) wrong.push(error);
    }
    for (const error of wrong) errors[error] = (errors[error] ?? 0) + 1;
    await sleep(PAUSE_MS);
  }
  return { result: await result, beside: { worstMs, count, errors: errorWords(errors) } };
}

/** Returns the failures. */
async function buy(
  { client, gateway }: Site,
  { code, test }: Merchant,
  mode: 'sync' | 'async',
  reference: string,
): Promise<string | undefined> {
  const body = {
    merchant: code,
    msisdn: '08031234567',
    network: 'mtn',
    amount: '100',
    request_ref: reference,
  };
  const answer = await client.call(gateway, test, 'POST', `/v1/transactions/airtime/${mode}`, body);
  const said = saidIn(answer, 'response_code');
  if (mode === 'sync' || said !== '02') return said === '00' ? undefined : `${answer.status} ${said ?? ''}`;
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const status = await client.call(
      gateway,
      test,
      'GET',
      `/v1/transactions/status?request_ref=${reference}`,
    );
    const code = saidIn(status, 'code');
    if (code === '00') return undefined;
    if (code === '01') return 'failed';
    await sleep(POLL_MS);
  }
  return 'never final';
}
