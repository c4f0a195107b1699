/**
 * Why a purchase ended, as it is stored. What a merchant or an operator reads about it, each edge
 * says in its own words.
 */

export const outcomeReasons = [
  'delivered',
  /** The provider's explicit no. */
  'refused',
  /** The biller does not know the customer, or does not serve him. */
  'customer_rejected',
  /** Outside the limits that the biller has for the customer. */
  'amount_out_of_range',
  /** Nobody could say who the customer is. Nothing was sent. */
  'not_verified',
  'insufficient_funds',
  /** It would have exceeded a spend cap of its credential. */
  'over_purchase_cap',
  'over_daily_cap',
  /** Its provider never heard of it. */
  'not_found',
  /** It never left. */
  'not_sent',
] as const;

export type OutcomeReason = (typeof outcomeReasons)[number];

/** In minor units: the cap, and what of it was left. */
export type OverCap = { readonly cap: bigint; readonly left: bigint };

/** As `accept_purchases` stores it with the outcome, in the place of goods. */
export function readOverCap(stored: object | null): OverCap | undefined {
  if (stored === null || !('cap' in stored) || !('left' in stored)) return undefined;
  return { cap: BigInt(String(stored.cap)), left: BigInt(String(stored.left)) };
}
