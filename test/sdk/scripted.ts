/** A client whose gateway is a list of answers, and the requests it received. */
import assert from 'node:assert/strict';
import { type Fetch, Oja, type OjaOptions } from '../../sdk/src/index.ts';

export const secret = 'sk-secret-that-must-not-show';

type Asked = {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
};

/** `cut`: the connection breaks. A function receives the request. */
export type Step = 'cut' | Response | ((asked: Asked) => Response | Promise<Response>);

export type Scripted = {
  readonly oja: Oja;
  readonly asked: Asked[];
  readonly fetch: Fetch;
  assertDone(): void;
};

export function scripted(steps: readonly Step[], options: Partial<OjaOptions> = {}): Scripted {
  const left = [...steps];
  const asked: Asked[] = [];
  const fetch: Fetch = async (url, init) => {
    const { pathname, search } = new URL(url);
    const one: Asked = {
      method: String(init.method),
      path: `${pathname}${search}`,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    asked.push(one);
    const step = left.shift();
    assert.ok(step, `nothing was to be asked: ${one.method} ${one.path}`);
    if (step === 'cut') throw new TypeError('fetch failed');
    return typeof step === 'function' ? await step(one) : step;
  };
  const credential = { key: 'oja_test_key', secret, merchant: 'DEMO', baseUrl: 'https://gateway.example' };
  const oja = new Oja({ ...credential, fetch, ...options });
  return { oja, asked, fetch, assertDone: () => assert.equal(left.length, 0, 'it was asked less often') };
}

export const order = { msisdn: '08031234567', network: 'mtn', amount: '100' } as const;

export function created(reference: string, fields: object = {}): Response {
  return Response.json({
    status: 'success',
    response_code: '00',
    response_message: 'Transaction successful',
    data: dataOf(reference),
    ...fields,
  });
}

export function stored(reference: string, state = 'success', fields: object = {}): Response {
  const code = { success: '00', failed: '01' }[state] ?? '02';
  return Response.json({ state, code, message: 'told', payload: { ...dataOf(reference), ...fields } });
}

function dataOf(reference: string): object {
  return {
    internal_reference: '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10',
    msisdn: '08031234567',
    product: 'airtime',
    request_id: reference,
    network: 'MTN',
    amount: '100.00',
    plan: '',
    merchant_id: 1,
  };
}

const reasons: Readonly<Record<number, string>> = {
  400: 'field_invalid',
  401: 'not_authenticated',
  403: 'merchant_suspended',
  404: 'purchase_unknown',
  422: 'field_missing',
  429: 'rate_limited',
  500: 'unexpected_error',
  502: 'order_not_served',
  503: 'requests_full',
};

/** In the shape of the gateway's own refusals. */
export function refused(status: number, fields: object = {}, headers: Record<string, string> = {}): Response {
  return Response.json(
    { status: 'error', code: status, reason: reasons[status], message: `refused with ${status}`, ...fields },
    { status, headers },
  );
}

/** Sent by a proxy in between. */
export function page(status: number): Response {
  return new Response('<html>Bad gateway</html>', { status, headers: { 'content-type': 'text/html' } });
}

export const soon = { 'retry-after': '0' };
