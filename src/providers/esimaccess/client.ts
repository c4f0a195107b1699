/**
 * A call to eSIM Access: signed and in its turn. It never resends. Everything is
 * a POST, the reading of a list as well.
 */

import { createHmac, randomUUID } from 'node:crypto';
import { systemClock } from '../../kernel/clock.ts';
import { type CallResult, type Upstream, WAIT_MS } from '../../upstream/call.ts';
import { openProviderUpstream } from '../../upstream/call-in-lanes.ts';
import { createPace } from '../../upstream/pace.ts';
import type { EsimAccessSettings } from './settings.ts';

/** `path` below `/api/v1/open`. */
export type Request = {
  readonly operation: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
};

export type CallOptions = { readonly signal?: AbortSignal; readonly sendWithinMs?: number };

export type Client = Pick<Upstream, 'breakerState' | typeof Symbol.asyncDispose> & {
  call(request: Request, options?: CallOptions): Promise<CallResult>;
  /** Divides the pace of reads among so many processes. */
  shareReads(processes: number): void;
};

/** The list of packages comes whole: thousands of them. */
const RESPONSE_BYTES_MAX = 16 * 1024 * 1024;

/** Of the calls a second that eSIM Access takes, a quarter is for those that only read. */
export function ordersPerSecond({ callsPerSecond }: EsimAccessSettings): number {
  return callsPerSecond - Math.min(callsPerSecond / 2, Math.ceil(callsPerSecond / 4));
}

export function openClient(settings: EsimAccessSettings): Client {
  const { accessCode, secretKey, waitMs = WAIT_MS, callsPerSecond } = settings;
  const upstream = openProviderUpstream({
    ...settings,
    provider: 'esimaccess',
    responseBytesMax: RESPONSE_BYTES_MAX,
  });
  const readsPerSecond = callsPerSecond - ordersPerSecond(settings);
  const pace = createPace(readsPerSecond);

  const headersOf = (body: Request['body']): Record<string, string> => {
    const signed = {
      timestamp: String(Date.now()),
      requestId: randomUUID(),
      accessCode,
      body: JSON.stringify(body),
    };
    return {
      'rt-accesscode': accessCode,
      'rt-requestid': signed.requestId,
      'rt-timestamp': signed.timestamp,
      'rt-signature': signRequest(signed, secretKey),
    };
  };

  return {
    call: async ({ operation, path, body }, options) => {
      const waitMaxMs = Math.min(options?.sendWithinMs ?? waitMs, waitMs);
      const sendUntil = systemClock.elapsedMs() + waitMaxMs;
      const signal = options?.signal;
      // Orders and questions about them have had their turn in the lane.
      const isPaced = operation !== 'vend' && operation !== 'query';
      if (isPaced && !(await pace.turn(waitMaxMs, { signal })))
        return { kind: 'not_sent', reason: 'too many calls a second' };
      const sendWithinMs = sendUntil - systemClock.elapsedMs();
      if (sendWithinMs <= 0) return { kind: 'not_sent', reason: 'held up too long to be sent' };
      return await upstream.call(
        // Signed only now: a signature is good for a short time.
        { operation, method: 'POST', path: `/api/v1/open${path}`, headers: headersOf(body), body },
        { signal, sendWithinMs },
      );
    },
    shareReads: (processes) => pace.set(readsPerSecond / processes),
    breakerState: () => upstream.breakerState(),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}

type Signed = {
  /** Milliseconds since the epoch, as text. */
  readonly timestamp: string;
  readonly requestId: string;
  readonly accessCode: string;
  /** The body as it is sent. */
  readonly body: string;
};

/** Hex of the HMAC-SHA256 over timestamp, request id, access code and body, one after the other. */
export function signRequest({ timestamp, requestId, accessCode, body }: Signed, secretKey: string): string {
  return createHmac('sha256', secretKey)
    .update(timestamp + requestId + accessCode + body)
    .digest('hex');
}
