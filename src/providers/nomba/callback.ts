/**
 * Reads Nomba's webhooks. The signature covers nine fields, but neither the amount nor the body. A
 * valid signature proves that Nomba sent the webhook, which is only a hint to query the order.
 * Pure.
 */
import { createHmac } from 'node:crypto';
import { type Body, isBody, isSameText } from '../http/reply-fields.ts';
import type { Headers } from '../provider-definition.ts';

/**
 * Returns the order that a signed webhook names. Undefined without one, and when the signature was
 * not made with `key`.
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

/**
 * Returns the HMAC-SHA256 over the signed fields in Base64, as documented on Nomba's page on
 * webhooks.
 */
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

/** Reads the text at a path. Empty for a missing value, null or an object. */
function at(body: unknown, ...path: readonly string[]): string {
  let value = body;
  for (const name of path) value = isBody(value) ? value[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
