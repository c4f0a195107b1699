/**
 * eSIM Access's webhooks: not signed, so no more than a hint to look the order up. Source: its page
 * on webhooks. Pure.
 */
import { isBody } from '../../upstream/reply-fields.ts';

const REFERENCE = /^\d{8}T\d{6}-[0-9a-f]{32}$/;

/**
 * The order that a webhook speaks of; undefined for the check of the address, and where none is
 * named.
 */
export function parseEsimAccessCallback(body: unknown): { readonly reference: string } | undefined {
  const content = isBody(body) ? body.content : undefined;
  const reference = isBody(content) ? content.transactionId : undefined;
  return typeof reference === 'string' && REFERENCE.test(reference) ? { reference } : undefined;
}
