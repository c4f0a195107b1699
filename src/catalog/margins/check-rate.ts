/**
 * Whether an exchange rate can be right, from the rates of the other currencies. It tells a slip
 * where there is no rate before to compare with, and no cost is known. Pure.
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

/** Against another currency: a slip of one digit is ten times as much. */
const CROSS_PERCENT = 150n;
/**
 * Naira for a dollar where nothing else is known. Since June 2023 a dollar has cost between 700 and
 * 1,700 naira: a rate of a tenth or of ten times as much is outside.
 */
const usual = { low: 500n, high: 5_000n };

export type RateBounds = {
  readonly low: bigint;
  readonly high: bigint;
  /** The currency whose rate they are from; undefined: the usual range. */
  readonly from: Currency | undefined;
};

type Rated = { readonly currency: Currency; readonly rateMicro: bigint };

/**
 * In millionths of a naira. Undefined where the rate lies within what most of the others let
 * expect: one of them may be a slip itself. Where they are divided, or there are none, the usual
 * range decides.
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
