/**
 * Converts an amount of a foreign currency to naira, in whole numbers and rounded once: up to the
 * kobo for a price, towards zero for the value of a balance.
 */
import { BASIS_POINTS_WHOLE } from './money.ts';

/** Millionths of a naira for one unit, and the margin on it. */
export type Rate = { readonly rateMicro: bigint; readonly marginBasisPoints: number };

/** A rate is in millionths. */
export const MICRO = 1_000_000n;

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

/**
 * Returns the value of a balance, also below zero, in minor units of both. Rounded towards zero.
 */
export function worthAtRate(balance: bigint, rateMicro: bigint): bigint {
  return (balance * rateMicro) / MICRO;
}
