/**
 * One try to send an event to an endpoint: bounded in time and in what is read of the answer. It
 * never throws, follows no redirect, and sends nothing twice.
 */
import { type Agent, request } from 'undici';
import { BlockedAddressError } from './guarded-agent.ts';
import { signatureHeaders } from './signature.ts';

/** How long a try lasts at most, from the first look-up to the last byte. */
export const TOTAL_MS = 15_000;
export const CONNECT_MS = 5_000;
/** How much is kept of an answer. */
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
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  /** Why there is none, as a code; absent where one came. */
  readonly fault?: TryFault;
  /** The same, or what is odd about an answer, in plain words. */
  readonly note: string | undefined;
  /** The beginning of the answer. */
  readonly answer: string | undefined;
  /** How long the endpoint wants to be left alone. */
  readonly retryAfterMs: number | undefined;
  readonly durationMs: number;
};

export type Sending = {
  readonly agent: Agent;
  readonly url: string;
  readonly secrets: readonly string[];
  /** As on the wire: it is signed. */
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
        'content-type': 'application/json',
        // What is packed would have to be unpacked to be read.
        'accept-encoding': 'identity',
        'user-agent': 'Oja-Webhooks/1.0',
        ...signatureHeaders(secrets, { id, time: Math.floor(now.getTime() / 1_000), body }),
      },
      body,
      signal,
    });
    const { statusCode: status, headers } = response;
    return {
      status,
      note: status >= 300 && status < 400 ? 'it redirects, and is not followed' : undefined,
      answer: await readBeginning(response.body),
      retryAfterMs: retryAfterOf(headers['retry-after'], now),
      durationMs: elapsed(startedMs),
    };
  } catch (error) {
    const [fault, note] = signal.aborted
      ? (['timeout', `no answer within ${totalMs / 1_000} seconds`] as const)
      : wordsOf(error);
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

/** The status says all that counts. So an answer that breaks off, or never ends, is one. */
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
    // What came before is kept.
  }
  if (size === 0) return undefined;
  const text = Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8');
  // PostgreSQL takes no zero, and nobody reads the others.
  return text.replace(/[^\P{Cc}\n\t]|\uFFFD/gu, '?');
}

const RETRY_AFTER_MAX_MS = 86_400_000;

/** In seconds, or as a date. */
function retryAfterOf(header: string | string[] | undefined, now: Date): number | undefined {
  if (typeof header !== 'string') return undefined;
  const ms = /^\d{1,9}$/.test(header) ? 1_000 * Number(header) : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) || ms <= 0 ? undefined : Math.min(ms, RETRY_AFTER_MAX_MS);
}

type Words = readonly [fault: TryFault, note: string];

const known: Readonly<Record<string, Words>> = {
  ECONNREFUSED: ['connection_refused', 'the connection was refused'],
  ECONNRESET: ['connection_broken', 'the connection broke'],
  ENOTFOUND: ['name_unknown', 'its name is not known'],
  EAI_AGAIN: ['name_unknown', 'its name could not be looked up'],
  EHOSTUNREACH: ['unreachable', 'its host cannot be reached'],
  ENETUNREACH: ['unreachable', 'its network cannot be reached'],
  ETIMEDOUT: ['connect_timeout', 'no connection within 5 seconds'],
  UND_ERR_CONNECT_TIMEOUT: ['connect_timeout', 'no connection within 5 seconds'],
  UND_ERR_SOCKET: ['connection_broken', 'the connection broke'],
  UND_ERR_HEADERS_OVERFLOW: ['headers_too_large', 'the headers of its answer are too large'],
};

/** Never the text of an error: it may say what is in a network of ours. */
function wordsOf(error: unknown): Words {
  if (error instanceof BlockedAddressError) {
    return ['address_blocked', 'its address is of a private or reserved network'];
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words = known[code];
  if (words !== undefined) return words;
  if (/CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO/.test(code)) {
    return ['certificate', `its certificate is not good (${code})`];
  }
  const isNoHttp = error instanceof Error && error.name === 'HTTPParserError';
  return isNoHttp ? ['no_http', 'its answer is not HTTP'] : ['connection_failed', 'the connection failed'];
}
