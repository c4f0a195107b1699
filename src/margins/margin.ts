/**
 * What a purchase brought: the charge less what the provider took, both less what was given back of
 * them. Pure. In kobo.
 */
export type SoldFor = {
  readonly charge: bigint;
  /** What the provider took, or what was expected; null while it is not known. */
  readonly cost: bigint | null;
  /** What the merchant got back after the success. */
  readonly refunded?: bigint;
  /** What the provider gave back. */
  readonly costRefunded?: bigint;
};

/** Null where the cost is not known: of a purchase that is pending or failed. */
export function marginOf({ charge, cost, refunded = 0n, costRefunded = 0n }: SoldFor): bigint | null {
  return cost === null ? null : charge - refunded - (cost - costRefunded);
}
