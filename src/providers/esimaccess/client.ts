/** Calls eSIM Access. Signs each call and never resends it. Every call is a POST. */

import { createHmac, randomUUID } from 'node:crypto';
import type { CallOptions, CallResult } from '../http/call.ts';
import { openProviderUpstream, type ProviderUpstream } from '../http/provider-upstream.ts';
import type { EsimAccessSettings } from './settings.ts';

/** A request. `path` is below `/api/v1/open`. */
export type Request = {
  readonly operation: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
};

export type Client = Omit<ProviderUpstream, 'call'> & {
  call(request: Request, options?: CallOptions): Promise<CallResult>;
};

/** The list of thousands of packages comes in one reply. */
const RESPONSE_BYTES_MAX = 16 * 1024 * 1024;

/** The part of the rate that reads get. */
const READS_SHARE = 0.25;

export function openClient(settings: EsimAccessSettings): Client {
  const { accessCode, secretKey, perSecond } = settings;
  const reads = Math.min(perSecond / 2, Math.ceil(READS_SHARE * perSecond));
  const upstream = openProviderUpstream(
    {
      ...settings,
      provider: 'esimaccess',
      perSecond: perSecond - reads,
      responseBytesMax: RESPONSE_BYTES_MAX,
    },
    { reads, paces: 'all' },
  );

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
    ...upstream,
    call: ({ operation, path, body }, options) =>
      // Sign when the call leaves, because a signature is valid for a short time.
      upstream.call(
        {
          operation,
          method: 'POST',
          path: `/api/v1/open${path}`,
          headers: () => headersOf(body),
          body,
        },
        options,
      ),
  };
}

type Signed = {
  /** Milliseconds since the epoch, as text. */
  readonly timestamp: string;
  readonly requestId: string;
  readonly accessCode: string;
  /** The body that is sent. */
  readonly body: string;
};

/** Returns the HMAC-SHA256 over timestamp, request id, access code and body, in hex. */
export function signRequest({ timestamp, requestId, accessCode, body }: Signed, secretKey: string): string {
  return createHmac('sha256', secretKey)
    .update(timestamp + requestId + accessCode + body)
    .digest('hex');
}
