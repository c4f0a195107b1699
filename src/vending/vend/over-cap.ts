/** A cap of its credential that a purchase would have exceeded. */

/** In minor units: the cap, and what of it was left. */
export type OverCap = { readonly cap: bigint; readonly left: bigint };

/** As `accept_vends` stores it with the outcome, in the place of goods. */
export function readOverCap(stored: object | null): OverCap | undefined {
  if (stored === null || !('cap' in stored) || !('left' in stored)) return undefined;
  return { cap: BigInt(String(stored.cap)), left: BigInt(String(stored.left)) };
}
