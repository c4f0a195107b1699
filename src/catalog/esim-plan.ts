/**
 * An eSIM plan of the catalog: so much data for so many days in one country or region; and its
 * price in naira. Pure.
 */
import { type FxRate, type GoodsCurrency, type GoodsPrice, priceGoods } from './fx-rate.ts';

export type EsimPlan = {
  /** The catalog id, what an order names. */
  readonly planId: string;
  readonly title: string;
  /** ISO 3166-1 alpha-2; undefined where it serves more than one country. */
  readonly country: string | undefined;
  readonly region: string;
  /** Megabytes, a thousand to the gigabyte. */
  readonly dataMb: number;
  readonly durationDays: number;
  readonly currency: GoodsCurrency;
  /** In minor units of `currency`. */
  readonly price: bigint;
  /** On sale to test credentials alone. */
  readonly testOnly: boolean;
  /** The plan's codes by provider name; a provider that is not among them cannot serve it. */
  readonly providerCodes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** False: withdrawn from sale, neither listed nor found. */
  readonly active: boolean;
};

/** What one eSIM costs in naira. */
export function priceEsim(plan: Pick<EsimPlan, 'currency' | 'price'>, rate: FxRate): GoodsPrice {
  return priceGoods({ amount: plan.price, currency: plan.currency }, rate);
}
