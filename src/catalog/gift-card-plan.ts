/** A gift card plan of the catalog, its face values and its price in naira. Pure. */
import type { Environment } from '../core/environment.ts';
import { type FxRate, type GoodsCurrency, type GoodsPrice, priceGoods } from './fx-rate.ts';

/** The values of `Fulfillment` of the provider contract. The last two are not sold. */
export const fulfillments = ['immediate', 'standard', 'out_of_stock', 'preorder'] as const;

/** The face value of one card, in minor units of the plan's currency. */
export type CardValue =
  | {
      readonly faceValue: bigint;
      readonly minPrice: undefined;
      readonly maxPrice: undefined;
    }
  | {
      readonly faceValue: undefined;
      readonly minPrice: bigint;
      readonly maxPrice: bigint;
    };

/** A gift card of one brand and country, with a fixed face value or any value between limits. */
export type GiftCardPlan = CardValue & {
  /** The catalog id, which orders name. */
  readonly planId: number;
  readonly title: string;
  readonly brand: string;
  /** ISO 3166-1 alpha-2; undefined for several countries. */
  readonly region: string | undefined;
  readonly uiCategory: string;
  readonly currency: GoodsCurrency;
  readonly featured: boolean;
  /** The catalog's value. For the first two, a provider that reports availability decides. */
  readonly fulfillment: (typeof fulfillments)[number];
  /** On sale to test credentials only. */
  readonly testOnly: boolean;
  /** The plan's codes by provider. Other providers cannot serve it. */
  readonly providerCodes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** False: withdrawn from sale. */
  readonly active: boolean;
};

/** Returns the lowest and the highest face value of one card. */
export function cardValueLimits(plan: CardValue): { readonly min: bigint; readonly max: bigint } {
  return plan.faceValue === undefined
    ? { min: plan.minPrice, max: plan.maxPrice }
    : { min: plan.faceValue, max: plan.faceValue };
}

/**
 * Returns the face value of one card of an order: that of a fixed plan, or the sent value of a
 * variable plan, or its lowest without one. Undefined when the value is outside the limits.
 */
export function chooseCardValue(plan: CardValue, sent: bigint | undefined): bigint | undefined {
  if (plan.faceValue !== undefined) return plan.faceValue;
  const value = sent ?? plan.minPrice;
  return value >= plan.minPrice && value <= plan.maxPrice ? value : undefined;
}

/** Computes the price of one card in naira. */
export function priceGiftCard(
  plan: Pick<GiftCardPlan, 'currency'>,
  faceValue: bigint,
  rate: FxRate,
): GoodsPrice {
  return priceGoods({ amount: faceValue, currency: plan.currency }, rate);
}

/** Tells whether a plan is on sale to credentials of `environment`. */
export function isOnSale(
  plan: { readonly active: boolean; readonly testOnly: boolean },
  environment: Environment,
): boolean {
  return plan.active && (environment === 'test' || !plan.testOnly);
}
