/**
 * Reads SMEPlug's webhooks. No signature is documented, so a webhook is only a hint to query, never
 * an outcome, and the SMEPlug reference in it is not believed. Pure.
 */
import { isBody } from '../http/reply-fields.ts';

const REFERENCE = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Returns the order that a webhook names. Undefined for any other body. */
export function parseSmeplugCallback(body: unknown): { readonly reference: string } | undefined {
  if (!isBody(body) || !isBody(body.transaction)) return undefined;
  const reference = body.transaction.customer_reference;
  return typeof reference === 'string' && REFERENCE.test(reference) ? { reference } : undefined;
}
