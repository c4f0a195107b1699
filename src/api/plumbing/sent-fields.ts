/**
 * Reads the fields of a body, to compare them with the first purchase under its reference. The body
 * may be malformed, and nothing is refused here.
 */
import type { PurchaseRole } from '../../core/request-fault.ts';
import type { SentPurchase } from '../../purchases/idempotency/compare-with-first.ts';

/** Reads the field from the body of a route that creates a purchase or an order. */
export type ReadSent = (body: Readonly<Record<string, unknown>>) => SentPurchase;

/** Reads a field under any of its names. */
export function readSent(
  body: Readonly<Record<string, unknown>>,
  names: { readonly [Role in PurchaseRole]?: readonly string[] },
): SentPurchase {
  const read = Object.entries(names).map(([role, known]): [string, readonly unknown[]] => [
    role,
    known.flatMap((name) => (Object.hasOwn(body, name) ? [body[name]] : [])),
  ]);
  return Object.fromEntries(read);
}
