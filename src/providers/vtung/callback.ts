/**
 * Reads VTU.ng's webhooks, which it sends for refunds and for orders that its staff completed. The
 * signature is keyed with the transaction PIN, which has few digits. So a webhook is only a hint to
 * query, never an outcome. Pure.
 */
import { createHmac } from 'node:crypto';
import { isBody, isSameText } from '../http/reply-fields.ts';
import type { Headers } from '../provider-definition.ts';

const REFERENCE = /^[0-9A-Za-z-]{8,50}$/;

/**
 * Returns the order that a signed webhook names. Undefined without one, and when the signature was
 * not made with `pin`.
 */
export function parseVtungCallback(
  raw: string,
  body: unknown,
  headers: Headers,
  pin: string,
): { readonly reference: string } | undefined {
  const given = headers['x-signature'];
  if (!isBody(body) || typeof given !== 'string' || pin === '') return undefined;
  if (!isSameText(given.toLowerCase(), signVtungCallback(raw, pin))) return undefined;
  const reference = body.request_id;
  return typeof reference === 'string' && REFERENCE.test(reference) ? { reference } : undefined;
}

/** Returns the HMAC-SHA256 over the body as it came, in hex. */
export function signVtungCallback(raw: string, pin: string): string {
  return createHmac('sha256', pin).update(raw).digest('hex');
}
