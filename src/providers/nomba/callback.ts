/**
 * Reads Nomba's webhooks. The signature covers nine fields, but neither the amount nor the body. A
 * right one proves that Nomba sent the notice, and the notice is only a hint to query the order.
 * Pure.
 */
import { createHmac } from 'node:crypto';
import { type Body, isBody, isSameText } from '../http/reply-fields.ts';
import type { Headers } from '../provider-definition.ts';

/**
 * The order that a signed webhook names. Undefined for a body without one, and for a signature that
 * is not of `key`. `headers` have lower-case names, as Node gives them.
 */
export function parseNombaCallback(
  body: unknown,
  headers: Headers,
  key: string,
): { readonly reference: string } | undefined {
  const given = headers['nomba-signature'] ?? headers['nomba-sig-value'];
  const timestamp = headers['nomba-timestamp'];
  if (!isBody(body) || typeof given !== 'string' || key === '') return undefined;
  const expected = signNombaCallback(body, typeof timestamp === 'string' ? timestamp : '', key);
  if (!isSameText(given, expected)) return undefined;
  const reference = at(body, 'data', 'transaction', 'merchantTxRef');
  return REFERENCE.test(reference) ? { reference } : undefined;
}

/** Base64 of the HMAC-SHA256 over the signed fields, as Nomba's page on webhooks defines it. */
export function signNombaCallback(body: Body, timestamp: string, key: string): string {
  const message = [
    at(body, 'event_type'),
    at(body, 'requestId'),
    at(body, 'data', 'merchant', 'userId'),
    at(body, 'data', 'merchant', 'walletId'),
    at(body, 'data', 'transaction', 'transactionId'),
    at(body, 'data', 'transaction', 'type'),
    at(body, 'data', 'transaction', 'time'),
    at(body, 'data', 'transaction', 'responseCode'),
    timestamp,
  ].join(':');
  return createHmac('sha256', key).update(message).digest('base64');
}

const REFERENCE = /^[0-9A-Za-z-]{8,64}$/;

/** The text at a path; empty for what is missing, null or an object. */
function at(body: unknown, ...path: readonly string[]): string {
  let value = body;
  for (const name of path) value = isBody(value) ? value[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
