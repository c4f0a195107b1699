/**
 * Sends an event to an endpoint once, with a limit on the time and on the part of the answer that
 * is read. It never throws, follows no redirect, and repeats nothing.
 */
import { type Agent, request } from 'undici';
import { BlockedAddressError } from './guarded-agent.ts';
import { signatureHeaders } from './signature.ts';

/** The longest duration of a try, from the name look-up to the last byte. */
export const TOTAL_MS = 15_000;
export const CONNECT_MS = 5_000;
/** How much of an answer is kept. */
const ANSWER_BYTES = 1_024;

type TryFault =
  | 'address_blocked'
  | 'certificate'
  | 'connection_broken'
  | 'connection_failed'
  | 'connection_refused'
  | 'connect_timeout'
  | 'headers_too_large'
  | 'name_unknown'
  | 'no_http'
  | 'timeout'
  | 'unreachable';

export type TryResult = {
  /** Undefined if no answer arrived. */
  readonly status: number | undefined;
  /** The reason why no answer arrived. */
  readonly fault?: TryFault;
  /** The reason for operators, or a remark about the answer. */
  readonly note: string | undefined;
  /** The beginning of the answer. */
  readonly answer: string | undefined;
  /** The endpoint's `Retry-After`. */
  readonly retryAfterMs: number | undefined;
  readonly durationMs: number;
};

/** The headers of every try. The signature adds its own. */
export const sameHeaders = {
  'content-type': 'application/json',
  // A compressed answer would have to be decompressed.
  'accept-encoding': 'identity',
  'user-agent': 'Oja-Webhooks/1.0',
} as const;

export type Sending = {
  readonly agent: Agent;
  readonly url: string;
  readonly secrets: readonly string[];
  /** The id as sent, which is signed. */
  readonly id: string;
  readonly body: string;
  readonly now: Date;
  readonly totalMs?: number;
};

export async function sendEvent(sending: Sending): Promise<TryResult> {
  const { agent, url, secrets, id, body, now, totalMs = TOTAL_MS } = sending;
  const startedMs = performance.now();
  const signal = AbortSignal.timeout(totalMs);
  try {
    const response = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        ...sameHeaders,
        ...signatureHeaders(secrets, { id, time: Math.floor(now.getTime() / 1_000), body }),
      },
      body,
      signal,
    });
    const { statusCode: status, headers } = response;
    return {
      status,
      note: status >= 300 && status < 400 ? 'redirects are not followed' : undefined,
      answer: await readBeginning(response.body),
      retryAfterMs: retryAfterOf(headers['retry-after'], now),
      durationMs: elapsed(startedMs),
    };
  } catch (error) {
    const [fault, note] = signal.aborted
      ? (['timeout', `no answer within ${totalMs / 1_000} seconds`] as const)
      : faultOf(error);
    return {
      status: undefined,
      fault,
      note,
      answer: undefined,
      retryAfterMs: undefined,
      durationMs: elapsed(startedMs),
    };
  }
}

function elapsed(startedMs: number): number {
  return Math.round(performance.now() - startedMs);
}

/**
 * Reads the beginning of an answer. An answer that breaks off or never ends counts by its status.
 */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= ANSWER_BYTES) break;
    }
  } catch {
    // What arrived before is kept.
  }
  if (size === 0) return undefined;
  const text = Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8');
  // PostgreSQL stores no zero bytes; other control characters are not readable.
  return text.replace(/[^\P{Cc}\n\t]|\uFFFD/gu, '?');
}

const RETRY_AFTER_MAX_MS = 86_400_000;

/** Parses `Retry-After`, in seconds or as a date. */
function retryAfterOf(header: string | string[] | undefined, now: Date): number | undefined {
  if (typeof header !== 'string') return undefined;
  const ms = /^\d{1,9}$/.test(header) ? 1_000 * Number(header) : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) || ms <= 0 ? undefined : Math.min(ms, RETRY_AFTER_MAX_MS);
}

type Fault = readonly [fault: TryFault, note: string];

const known: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: ['connection_refused', 'the connection was refused'],
  ECONNRESET: ['connection_broken', 'the connection broke'],
  ENOTFOUND: ['name_unknown', 'the host name is unknown'],
  EAI_AGAIN: ['name_unknown', 'the host name could not be resolved'],
  EHOSTUNREACH: ['unreachable', 'the host is unreachable'],
  ENETUNREACH: ['unreachable', 'the network is unreachable'],
  ETIMEDOUT: ['connect_timeout', 'no connection within 5 seconds'],
  UND_ERR_CONNECT_TIMEOUT: ['connect_timeout', 'no connection within 5 seconds'],
  UND_ERR_SOCKET: ['connection_broken', 'the connection broke'],
  UND_ERR_HEADERS_OVERFLOW: ['headers_too_large', 'the headers of the answer are too large'],
};

/** The note of a try whose address the guard forbids. */
export const blockedAddressNote = 'the address is in a private or reserved network';

/** Maps an error. The text of the error is never used, because it may describe our network. */
function faultOf(error: unknown): Fault {
  if (error instanceof BlockedAddressError) {
    return ['address_blocked', blockedAddressNote];
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const fault = known[code];
  if (fault !== undefined) return fault;
  if (/CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO/.test(code)) {
    return ['certificate', `the certificate is invalid (${code})`];
  }
  const isNoHttp = error instanceof Error && error.name === 'HTTPParserError';
  return isNoHttp ? ['no_http', 'the answer is not HTTP'] : ['connection_failed', 'the connection failed'];
}
