/**
 * Checks an exchange rate against the rates of other currencies. Finds typing errors without an
 * earlier rate or a known cost. Pure.
 */
import { MICRO } from '../../core/exchange.ts';
import type { Currency } from '../../core/money.ts';

type Foreign = Exclude<Currency, 'NGN'>;

/**
 * Units of each currency to the dollar, in hundredths. Over the last ten years none of them was a
 * quarter away from this; the dirham is pegged.
 */
const perDollar: Readonly<Record<Foreign, bigint>> = {
  USD: 100n,
  EUR: 88n,
  GBP: 77n,
  CAD: 135n,
  AED: 367n,
};

/** The tolerance against another currency. A wrong digit makes a factor of ten. */
const CROSS_PERCENT = 150n;
/**
 * Naira for a dollar where nothing else is known. Since June 2023 a dollar has cost between 700 and
 * 1,700 naira: a rate of a tenth or of ten times as much is outside.
 */
const usual = { low: 500n, high: 5_000n };

export type RateBounds = {
  readonly low: bigint;
  readonly high: bigint;
  /** The currency that the bounds come from; undefined: the usual range. */
  readonly from: Currency | undefined;
};

type Rated = { readonly currency: Currency; readonly rateMicro: bigint };

/**
 * Returns the limits that a rate is outside of, in millionths of a naira. Undefined if most other
 * rates agree with it, because one of them may be wrong itself. If they are divided, or there are
 * none, the usual range decides.
 */
export function checkRate({ currency, rateMicro }: Rated, others: readonly Rated[]): RateBounds | undefined {
  if (currency === 'NGN') return undefined;
  const isOutside = ({ low, high }: RateBounds): boolean => rateMicro < low || rateMicro > high;
  const bounds = others.flatMap((other) =>
    other.currency === 'NGN' || other.currency === currency
      ? []
      : [crossBounds(currency, other.currency, other.rateMicro)],
  );
  const against = bounds.filter(isOutside);
  if (2 * against.length < bounds.length) return undefined;
  const usualBounds = {
    low: (usual.low * MICRO * 100n) / perDollar[currency],
    high: (usual.high * MICRO * 100n) / perDollar[currency],
    from: undefined,
  };
  const isDivided = 2 * against.length === bounds.length;
  if (isDivided && !isOutside(usualBounds)) return undefined;
  return against[0] ?? usualBounds;
}

function crossBounds(currency: Foreign, from: Foreign, rateMicro: bigint): RateBounds {
  const expected = (rateMicro * perDollar[from]) / perDollar[currency];
  return { low: (expected * 100n) / CROSS_PERCENT, high: (expected * CROSS_PERCENT) / 100n, from };
}
