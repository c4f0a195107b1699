/**
 * Turns a price in a foreign currency into naira. Catalog, quote and order all call this, so that
 * they cannot differ. Rounded up, in the house's favour.
 */
import { invariant } from '../kernel/errors.ts';
import { atRate } from '../kernel/exchange.ts';
import type { FxRate, GoodsCurrency } from './fx-rate.ts';

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
  return { ngnPrice: atRate(amount, rate), ngnCost: atRate(amount, { ...rate, marginBasisPoints: 0 }) };
}
