/** The reason of a purchase's outcome, as it is stored. Each interface has its own text for it. */

/** The purchase was refused when it was accepted: nothing was held, and nothing was sent. */
const unheldReasons = [
  /** The biller does not know the customer, or cannot serve the customer. */
  'customer_rejected',
  /** Outside the biller's limits for the customer. */
  'amount_out_of_range',
  /** The customer could not be verified. Nothing was sent. */
  'not_verified',
  'insufficient_funds',
  /** It would have exceeded a spend cap of its credential. */
  'over_purchase_cap',
  'over_daily_cap',
] as const;

export const outcomeReasons = [
  'delivered',
  /** The provider refused explicitly. */
  'refused',
  ...unheldReasons,
  /** The provider does not know the order. */
  'not_found',
  /** The order was never sent. */
  'not_sent',
] as const;

export type OutcomeReason = (typeof outcomeReasons)[number];

/** Whether a purchase that ended for this reason had a hold before. */
export function wasHeld(reason: OutcomeReason): boolean {
  return !unheldReasons.some((unheld) => unheld === reason);
}

/** In minor units: the cap, and the part that was left. */
export type OverCap = { readonly cap: bigint; readonly left: bigint };

/** As `accept_purchases` stores it with the outcome, in the column of the goods. */
export function readOverCap(stored: object | null): OverCap | undefined {
  if (stored === null || !('cap' in stored) || !('left' in stored)) return undefined;
  return { cap: BigInt(String(stored.cap)), left: BigInt(String(stored.left)) };
}
