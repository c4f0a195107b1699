/**
 * Verifies webhooks by Standard Webhooks with Web Crypto: the signature over the raw body, and a
 * recent timestamp. Unverified bodies are not parsed.
 */
import { ConfigurationError, WebhookVerificationError } from './errors.ts';
import type { EventsAnswer } from './generated/api.ts';
import { readJson } from './read-answer.ts';

/** The types of the feed, and the test event of an endpoint. Ignore types that you do not know. */
export type WebhookEvent = EventsAnswer['data'][number] | TestEvent;

export type TestEvent = {
  id: string;
  type: 'endpoint.test';
  created_at: string;
  data: Record<string, unknown>;
};

/** Headers in the form of `fetch`, or of Node.js and its frameworks. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type UnwrapOptions = {
  /** The allowed difference of the timestamp, in both directions; default 300. */
  readonly toleranceSeconds?: number;
  /** For tests: milliseconds since 1970. */
  readonly now?: number;
};

const signaturesMax = 20;

/**
 * Returns the event of a webhook. `body` is the raw body, not parsed JSON. During a rotation pass
 * both secrets. Rejects with `WebhookVerificationError` if the verification fails.
 */
async function unwrap(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: UnwrapOptions = {},
): Promise<WebhookEvent> {
  const bytes = bytesOf(body);
  const keys = [secrets].flat().map(keyOf);
  if (keys.length === 0) throw new ConfigurationError('a webhook is verified with at least one secret');
  if (!(toleranceSeconds >= 0 && Number.isFinite(toleranceSeconds))) {
    throw new ConfigurationError('toleranceSeconds must be a number of seconds, not below 0');
  }
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = signaturesIn(headerOf(headers, 'webhook-signature'));
  checkTimestamp(timestamp, toleranceSeconds, now);
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  if (!(await isSigned(signed, keys, signatures))) {
    throw new WebhookVerificationError('wrong_signature', 'no signature of the webhook is right');
  }
  const event = readJson(bytes);
  if (event === undefined || typeof event.type !== 'string') {
    throw new WebhookVerificationError('bad_body', 'the body of the webhook is no event');
  }
  return event as unknown as WebhookEvent;
}

/** They need no client, because a server that receives webhooks needs no credential. */
export const webhooks = { unwrap } as const;

function bytesOf(body: string | Uint8Array): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  throw new ConfigurationError(
    'unwrap needs the body as it came, as a string or bytes: what was read as JSON is signed no more. In Express use express.raw().',
  );
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('missing_header', `the webhook has no ${name}, or more than one`);
}

function checkTimestamp(text: string, toleranceSeconds: number, now: number): void {
  if (!/^\d{1,12}$/.test(text)) {
    throw new WebhookVerificationError('bad_timestamp', 'webhook-timestamp is not a number of seconds');
  }
  const age = Math.floor(now / 1_000) - Number(text);
  const off = `more than ${toleranceSeconds} seconds off: check the clock of this machine`;
  if (age > toleranceSeconds) throw new WebhookVerificationError('too_old', `the webhook is old, ${off}`);
  if (-age > toleranceSeconds) {
    throw new WebhookVerificationError('in_the_future', `the webhook is of the future, ${off}`);
  }
}

/** Signatures of version 1. Others may be present in addition and are ignored. */
function signaturesIn(header: string): Uint8Array[] {
  return header
    .split(' ')
    .slice(0, signaturesMax)
    .flatMap((part) => {
      const bytes = part.startsWith('v1,') ? decodeBase64(part.slice(3)) : undefined;
      return bytes?.length === 32 ? [bytes] : [];
    });
}

/** The bytes of a secret. The message does not repeat it. */
function keyOf(secret: unknown): Uint8Array {
  const text = typeof secret === 'string' && secret.startsWith('whsec_') ? secret.slice(6) : undefined;
  const bytes = text === undefined ? undefined : decodeBase64(text);
  if (bytes !== undefined && bytes.length >= 24 && bytes.length <= 64) return bytes;
  throw new ConfigurationError(
    'the secret of an endpoint is "whsec_" and base64 of 24 to 64 bytes, as it was given when the endpoint was made',
  );
}

/** `verify` compares in constant time. Every key is tried with every signature. */
async function isSigned(
  signed: Uint8Array,
  keys: readonly Uint8Array[],
  signatures: readonly Uint8Array[],
): Promise<boolean> {
  let isRight = false;
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', owned(bytes), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ]);
    for (const signature of signatures) {
      isRight = (await crypto.subtle.verify('HMAC', key, owned(signature), owned(signed))) || isRight;
    }
  }
  return isRight;
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** Web Crypto does not accept shared memory. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/** Undefined if it is not base64. */
function decodeBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
