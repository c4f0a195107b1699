/**
 * Reads VTpass's callbacks. They are not signed, so a callback is only a hint to query, never an
 * outcome. Source: VTpass's page on callbacks. Pure.
 */
import { isBody } from '../http/reply-fields.ts';

// VTpass's form of a request id: the minute, then alphanumeric characters.
const REFERENCE = /^\d{12}[0-9A-Za-z]{0,24}$/;

/** Returns the order that a `transaction-update` names. Undefined for any other body. */
export function parseVtpassCallback(body: unknown): { readonly reference: string } | undefined {
  if (!isBody(body) || body.type !== 'transaction-update' || !isBody(body.data)) return undefined;
  const reference = body.data.requestId;
  return typeof reference === 'string' && REFERENCE.test(reference) ? { reference } : undefined;
}
