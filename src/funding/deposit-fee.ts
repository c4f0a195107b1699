/** What a deposit costs the merchant. */
import type { Currency } from '../kernel/money.ts';

const NGN_FEE = 10_000n;

/**
 * The convenience fee of a deposit in minor units: a flat 100 naira, for other currencies nothing
 * (interface, Wallet).
 */
export function convenienceFee(currency: Currency): bigint {
  return currency === 'NGN' ? NGN_FEE : 0n;
}

/**
 * What is taken from a deposit: the fee, or all of a deposit that is smaller than it. Never more
 * than came in.
 */
export function depositFee(currency: Currency, gross: bigint): bigint {
  const fee = convenienceFee(currency);
  return gross < fee ? gross : fee;
}
