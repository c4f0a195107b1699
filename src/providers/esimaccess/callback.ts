/**
 * Reads eSIM Access's webhooks. They are not signed, so a webhook is only a hint to query the
 * order. Source: eSIM Access's page on webhooks. Pure.
 */
import { isBody } from '../http/reply-fields.ts';

const REFERENCE = /^\d{8}T\d{6}-[0-9a-f]{32}$/;

/**
 * Returns the order that a webhook names. Undefined for the check of the URL and without an order.
 */
export function parseEsimAccessCallback(body: unknown): { readonly reference: string } | undefined {
  const content = isBody(body) ? body.content : undefined;
  const reference = isBody(content) ? content.transactionId : undefined;
  return typeof reference === 'string' && REFERENCE.test(reference) ? { reference } : undefined;
}
