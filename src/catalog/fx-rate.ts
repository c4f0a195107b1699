/**
 * Exchange rates to naira as exact integers, so that catalog, quote and order agree to the kobo. A
 * rate has at most six decimals.
 */
import { GatewayError, invariant } from '../core/errors.ts';
import { atRate, MICRO } from '../core/exchange.ts';
import { BASIS_POINTS_WHOLE } from '../core/money.ts';
import type { Catalog } from './catalog.ts';

const LARGE_CHANGE_PART = 5n;

/** Tells whether a value changes by more than a fifth. */
export function isLargeChange(before: bigint, next: bigint): boolean {
  return (next > before ? next - before : before - next) * LARGE_CHANGE_PART > before;
}

/** The currencies that gift cards and eSIMs are priced in. Each has two decimals. */
export const goodsCurrencies = ['USD', 'EUR', 'GBP', 'CAD', 'AED'] as const;

export type GoodsCurrency = (typeof goodsCurrencies)[number];

export type FxRate = {
  readonly currency: GoodsCurrency;
  /** Millionths of a naira for one unit of the currency; above zero. */
  readonly rateMicro: bigint;
  /** The margin above the rate, from 0 to 10,000 = 100 %. */
  readonly marginBasisPoints: number;
};

const DECIMALS = 6;
/** A rate below a hundred million naira. A higher one is a mistake. */
const RATE = /^(0|[1-9][0-9]{0,7})(?:\.([0-9]{1,6}))?$/;

export function isGoodsCurrency(text: string): text is GoodsCurrency {
  return goodsCurrencies.some((currency) => currency === text);
}

/**
 * Reads naira for one unit, such as `1545.25`, in millionths. Undefined for zero and other text.
 */
export function parseRate(text: string): bigint | undefined {
  const match = RATE.exec(text);
  if (match?.[1] === undefined) return undefined;
  const micro = BigInt(match[1]) * MICRO + BigInt((match[2] ?? '').padEnd(DECIMALS, '0'));
  return micro > 0n ? micro : undefined;
}

/** Writes a rate with two to six decimals: `1545.25`, `412.123456`. */
export function formatRate(rateMicro: bigint): string {
  const decimals = (rateMicro % MICRO).toString().padStart(DECIMALS, '0');
  return `${rateMicro / MICRO}.${decimals.replace(/0{1,4}$/, '')}`;
}

/** Tells whether the rate, or its price with the margin, changes by more than a fifth. */
export function isLargeRateChange(before: FxRate, next: FxRate): boolean {
  return (
    isLargeChange(before.rateMicro, next.rateMicro) || isLargeChange(withMargin(before), withMargin(next))
  );
}

/** Tells whether goods cost fewer naira than at the rate before. */
export function isLowerRate(next: FxRate, before: FxRate): boolean {
  return withMargin(next) < withMargin(before);
}

/** Returns the rate with its margin, in ten-thousandths of a millionth. */
function withMargin({ rateMicro, marginBasisPoints }: FxRate): bigint {
  return rateMicro * (BASIS_POINTS_WHOLE + BigInt(marginBasisPoints));
}

/** The price of one card or eSIM, in kobo. */
export type GoodsPrice = {
  /** The price for the wallet: the rate with its margin. */
  readonly ngnPrice: bigint;
  /** Our probable cost: the rate without the margin. Never above `ngnPrice`. */
  readonly ngnCost: bigint;
};

/** Computes a price. `amount` is in minor units, above zero. */
export function priceGoods(
  { amount, currency }: { readonly amount: bigint; readonly currency: GoodsCurrency },
  rate: FxRate,
): GoodsPrice {
  invariant(currency === rate.currency, `${currency} is priced with its own rate`);
  invariant(amount > 0n && rate.rateMicro > 0n, 'a price is above zero');
  return { ngnPrice: atRate(amount, rate), ngnCost: atRate(amount, { ...rate, marginBasisPoints: 0 }) };
}

/** Returns the rate of a currency. Throws GatewayError `no_exchange_rate`. */
export function requireRate(catalog: Pick<Catalog, 'fxRate'>, currency: GoodsCurrency): FxRate {
  const rate = catalog.fxRate(currency);
  if (rate !== undefined) return rate;
  throw new GatewayError({ code: 'no_exchange_rate', currency });
}
