/**
 * Calls eSIM Access: signed, not too many calls a second, within one deadline. It never resends.
 * Every call is a POST, also one that only reads.
 */
import { randomUUID } from 'node:crypto';
import { type CallResult, openUpstream, type Upstream, WAITING_UNTIL_DEADLINE } from '../../upstream/call.ts';
import { createPace } from '../../upstream/pace.ts';
import type { EsimAccessSettings } from './settings.ts';
import { signRequest } from './signature.ts';

/** `path` below `/api/v1/open`. */
export type Request = {
  readonly operation: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
};

export type CallOptions = { readonly signal?: AbortSignal; readonly sendWithinMs?: number };

export type Client = Pick<Upstream, 'breakerState' | typeof Symbol.asyncDispose> & {
  call(request: Request, options?: CallOptions): Promise<CallResult>;
};

/** The list of packages comes in one reply, with thousands of them. */
const RESPONSE_BYTES_MAX = 16 * 1024 * 1024;

export function openClient(settings: EsimAccessSettings): Client {
  const { accessCode, secretKey, deadlineMs, callsPerSecond } = settings;
  const upstream = openUpstream({
    waitingMax: WAITING_UNTIL_DEADLINE,
    ...settings,
    provider: 'esimaccess',
    responseBytesMax: RESPONSE_BYTES_MAX,
  });
  const pace = createPace(callsPerSecond);

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
      const sendUntil = performance.now() + Math.min(options?.sendWithinMs ?? deadlineMs, deadlineMs);
      const deadline = AbortSignal.timeout(deadlineMs);
      const signal = options?.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
      // Half of the deadline is left for the call itself.
      const waitMaxMs = Math.min(deadlineMs / 2, sendUntil - performance.now());
      if (!(await pace.turn(waitMaxMs, signal)))
        return { kind: 'not_sent', reason: 'too many calls a second' };
      const sendWithinMs = sendUntil - performance.now();
      if (sendWithinMs <= 0) return { kind: 'not_sent', reason: 'held up too long to be sent' };
      return await upstream.call(
        // Signed only now: a signature is good for a short time.
        { operation, method: 'POST', path: `/api/v1/open${path}`, headers: headersOf(body), body },
        { signal, sendWithinMs },
      );
    },
    breakerState: () => upstream.breakerState(),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}
