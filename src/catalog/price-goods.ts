/**
 * Turns a price in a foreign currency into naira. Catalog, quote and order all call this, so that
 * they cannot differ. Integers only. Rounded once, at the end, up to the kobo, in the house's
 * favour.
 */
import { invariant } from '../kernel/errors.ts';
import type { FxRate, GoodsCurrency } from './fx-rate.ts';

const MICRO = 1_000_000n;
const BASIS_POINTS_WHOLE = 10_000n;

/** Of one card or eSIM, in kobo. */
export type GoodsPrice = {
  /** What the wallet pays: at the rate with its margin. */
  readonly ngnPrice: bigint;
  /** What it costs us as far as we know: at the rate alone. Never above `ngnPrice`. */
  readonly ngnCost: bigint;
};

/** `amount` is in minor units (hundredths, as kobo are), above zero. */
export function priceGoods(
  { amount, currency }: { readonly amount: bigint; readonly currency: GoodsCurrency },
  rate: FxRate,
): GoodsPrice {
  invariant(currency === rate.currency, `${currency} is priced with its own rate`);
  invariant(amount > 0n && rate.rateMicro > 0n, 'a price is above zero');
  // Hundredths of a unit times millionths of a naira a unit are millionths of a kobo.
  const exact = amount * rate.rateMicro;
  return {
    ngnPrice: divideUp(
      exact * (BASIS_POINTS_WHOLE + BigInt(rate.marginBasisPoints)),
      MICRO * BASIS_POINTS_WHOLE,
    ),
    ngnCost: divideUp(exact, MICRO),
  };
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
