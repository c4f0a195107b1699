/** An eSIM plan of the catalog: data for a number of days in one country or region. Pure. */
import { type FxRate, type GoodsCurrency, type GoodsPrice, priceGoods } from './fx-rate.ts';

export type EsimPlan = {
  /** The catalog id, which orders name. */
  readonly planId: string;
  readonly title: string;
  /** ISO 3166-1 alpha-2; undefined for several countries. */
  readonly country: string | undefined;
  readonly region: string;
  /** Megabytes, a thousand to the gigabyte. */
  readonly dataMb: number;
  readonly durationDays: number;
  readonly currency: GoodsCurrency;
  /** In minor units of `currency`. */
  readonly price: bigint;
  /** On sale to test credentials only. */
  readonly testOnly: boolean;
  /** The plan's codes by provider. Other providers cannot serve it. */
  readonly providerCodes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** False: withdrawn from sale. */
  readonly active: boolean;
};

/** Computes the price of an eSIM in naira. */
export function priceEsim(plan: Pick<EsimPlan, 'currency' | 'price'>, rate: FxRate): GoodsPrice {
  return priceGoods({ amount: plan.price, currency: plan.currency }, rate);
}
