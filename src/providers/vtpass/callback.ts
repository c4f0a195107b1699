/**
 * VTpass's callbacks: not signed, so no more than a hint to query, never an outcome. Source: its
 * page on callbacks. Pure.
 */
import { isBody } from '../../upstream/reply-fields.ts';

// VTpass's own shape of a request id: the minute, then anything alphanumeric.
const REFERENCE = /^\d{12}[0-9A-Za-z]{0,24}$/;

/**
 * The order that a callback of type `transaction-update` speaks of; undefined for any other body.
 */
export function parseVtpassCallback(body: unknown): { readonly reference: string } | undefined {
  if (!isBody(body) || body.type !== 'transaction-update' || !isBody(body.data)) return undefined;
  const reference = body.data.requestId;
  return typeof reference === 'string' && REFERENCE.test(reference) ? { reference } : undefined;
}
