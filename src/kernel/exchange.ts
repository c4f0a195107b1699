/**
 * What an amount of a foreign currency comes to in naira, in whole numbers: rounded once, up to the
 * kobo.
 */

/** Millionths of a naira for one unit, and what is charged above that. */
export type Rate = { readonly rateMicro: bigint; readonly marginBasisPoints: number };

const MICRO = 1_000_000n;
const BASIS_POINTS_WHOLE = 10_000n;

/**
 * `amount` is in minor units (hundredths, as kobo are). With a margin of 0 it is what the amount
 * costs at the rate.
 */
export function atRate(amount: bigint, { rateMicro, marginBasisPoints }: Rate): bigint {
  // Hundredths of a unit times millionths of a naira a unit are millionths of a kobo.
  const exact = amount * rateMicro * (BASIS_POINTS_WHOLE + BigInt(marginBasisPoints));
  const divisor = MICRO * BASIS_POINTS_WHOLE;
  return (exact + divisor - 1n) / divisor;
}
