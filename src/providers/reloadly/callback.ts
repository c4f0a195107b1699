/**
 * Reads Reloadly's webhooks. The signature covers the raw body and the time of sending. A webhook
 * is only a hint to query the order. Source: Reloadly's support page on webhooks. Pure.
 */
import { createHmac } from 'node:crypto';
import { isBody, isSameText } from '../http/reply-fields.ts';
import type { Callback } from '../provider-definition.ts';

const AGE_MAX_MS = 5 * 60_000;
const REFERENCE = /^[0-9A-Za-z-]{8,64}$/;

/**
 * Returns the order that a signed webhook names. Undefined if it is too old or not signed with
 * `key`.
 */
export function parseReloadlyCallback(
  { raw, body, headers }: Pick<Callback, 'raw' | 'body' | 'headers'>,
  key: string,
  now: Date,
): { readonly reference: string } | undefined {
  const given = headers['x-reloadly-signature'];
  const timestamp = headers['x-reloadly-request-timestamp'];
  if (typeof given !== 'string' || typeof timestamp !== 'string' || key === '') return undefined;
  if (!isSameText(given.toLowerCase(), signReloadlyCallback(raw, timestamp, key))) return undefined;
  const sentAtMs = timeOf(timestamp);
  if (sentAtMs === undefined || Math.abs(now.getTime() - sentAtMs) > AGE_MAX_MS) return undefined;
  const reference = referenceIn(body);
  return reference !== undefined && REFERENCE.test(reference) ? { reference } : undefined;
}

/** Returns the HMAC-SHA256 over body, colon and timestamp, in hex. */
export function signReloadlyCallback(raw: string, timestamp: string, key: string): string {
  return createHmac('sha256', key).update(`${raw}:${timestamp}`).digest('hex');
}

/** Reads the reference, which some samples have one level deeper. */
function referenceIn(body: unknown): string | undefined {
  const data = isBody(body) && isBody(body.data) ? body.data : {};
  const nested = isBody(data.transaction) ? data.transaction : {};
  const reference = data.customIdentifier ?? nested.customIdentifier;
  return typeof reference === 'string' ? reference : undefined;
}

/** Reads seconds or milliseconds since 1970, or a date. */
function timeOf(timestamp: string): number | undefined {
  if (/^\d{9,11}$/.test(timestamp)) return Number(timestamp) * 1_000;
  if (/^\d{12,14}$/.test(timestamp)) return Number(timestamp);
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? undefined : time;
}
