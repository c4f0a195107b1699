/**
 * Reads EasyAccess's webhooks. They are not signed, so a webhook is only a hint to query, never an
 * outcome. Pure.
 */
import { isBody } from '../http/reply-fields.ts';

const REFERENCE = /^[0-9A-Za-z-]{8,50}$/;

/** Returns the order that a webhook names. Undefined for any other body. */
export function parseEasyAccessCallback(body: unknown): { readonly reference: string } | undefined {
  const reference = isBody(body) ? body.client_reference : undefined;
  return typeof reference === 'string' && REFERENCE.test(reference) ? { reference } : undefined;
}
