/**
 * Sends requests to the gateway's own API over HTTP, as a merchant's program does, and returns both
 * the request and the answer. The secret is left out.
 */
import type { PayInOverApi } from '../funding/operations/try-deposit.ts';
import type { Tried } from '../merchants/credential-answer.ts';
import type { BuyOverApi } from '../purchases/create/operations/try-merchant-purchase.ts';

/** Longer than a sync purchase can wait for its outcome. */
const MARGIN_MS = 15_000;
/** The headers of the answer that matter to a program. */
const toldHeaders = ['content-type', 'retry-after', 'x-request-id'] as const;

type TryOverApi = { readonly buyOverApi: BuyOverApi; readonly payInOverApi: PayInOverApi };

/** `url` is the address of the API. `deadlineMs` is how long a sync purchase waits there. */
export function tryOverApi(url: string, deadlineMs: number): TryOverApi {
  const waitMs = deadlineMs + MARGIN_MS;
  return {
    buyOverApi: async ({ merchant, number, network, amount, mode, reference, ...key }) =>
      await send({ url, path: `/v1/transactions/airtime/${mode}`, waitMs }, key, {
        merchant,
        msisdn: number,
        network: network.toLowerCase(),
        amount,
        request_ref: reference,
      }),
    payInOverApi: async ({ amount, reference, ...key }) =>
      await send({ url, path: '/v1/test/deposits', waitMs }, key, { amount, reference }),
  };
}

type Key = { readonly credential: string; readonly secret: string };

type Where = { readonly url: string; readonly path: string; readonly waitMs: number };

async function send({ url, path, waitMs }: Where, key: Key, fields: object): Promise<Tried | undefined> {
  const body = JSON.stringify(fields);
  const headers = { 'X-Merchant-Key': key.credential, 'Content-Type': 'application/json' };
  const began = performance.now();
  const answer = await fetch(reachable(path, url), {
    method: 'POST',
    headers: { ...headers, 'X-Merchant-Secret': key.secret },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(waitMs),
  }).catch(() => undefined);
  const text = await answer?.text().catch(() => undefined);
  if (answer === undefined || text === undefined) return undefined;
  return {
    request: { method: 'POST', path, headers, body },
    answer: {
      status: answer.status,
      headers: Object.fromEntries(
        toldHeaders.flatMap((name) => {
          const value = answer.headers.get(name);
          return value === null ? [] : [[name, value] as const];
        }),
      ),
      body: text,
      took_ms: Math.round(performance.now() - began),
    },
  };
}

/** A server that listens on every address is reached on this machine. */
function reachable(path: string, url: string): URL {
  const address = new URL(path, url);
  if (address.hostname === '0.0.0.0') address.hostname = '127.0.0.1';
  if (address.hostname === '[::]') address.hostname = '[::1]';
  return address;
}
