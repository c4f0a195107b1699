/**
 * A gift card plan of the catalog, which face values its cards can have, and what they cost in
 * naira. Pure.
 */
import type { Environment } from '../core/environment.ts';
import { type FxRate, type GoodsCurrency, type GoodsPrice, priceGoods } from './fx-rate.ts';

/** As `Fulfillment` of the provider contract: the last two are not sold. */
export const fulfillments = ['immediate', 'standard', 'out_of_stock', 'preorder'] as const;

/** What one card is worth, in minor units of the plan's currency. */
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

/**
 * One gift card in the catalog: of one brand, country and face value, or of any value between two
 * limits.
 */
export type GiftCardPlan = CardValue & {
  /** The catalog id, what an order names. */
  readonly planId: number;
  readonly title: string;
  readonly brand: string;
  /** ISO 3166-1 alpha-2; undefined where it is not one country. */
  readonly region: string | undefined;
  readonly uiCategory: string;
  readonly currency: GoodsCurrency;
  readonly featured: boolean;
  /**
   * What the catalog says. Where it is one of the first two, a provider that can be asked decides.
   */
  readonly fulfillment: (typeof fulfillments)[number];
  /** On sale to test credentials alone. */
  readonly testOnly: boolean;
  /** The plan's codes by provider name; a provider that is not among them cannot serve it. */
  readonly providerCodes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** False: withdrawn from sale, neither listed nor found. */
  readonly active: boolean;
};

/** The lowest and the highest face value of one card, both allowed. */
export function cardValueLimits(plan: CardValue): { readonly min: bigint; readonly max: bigint } {
  return plan.faceValue === undefined
    ? { min: plan.minPrice, max: plan.maxPrice }
    : { min: plan.faceValue, max: plan.faceValue };
}

/**
 * The face value of one card of an order. A fixed plan has its own, whatever is sent. A variable
 * plan takes what is sent, or its lowest where nothing is sent. Undefined where the value is
 * outside the limits.
 */
export function chooseCardValue(plan: CardValue, sent: bigint | undefined): bigint | undefined {
  if (plan.faceValue !== undefined) return plan.faceValue;
  const value = sent ?? plan.minPrice;
  return value >= plan.minPrice && value <= plan.maxPrice ? value : undefined;
}

/** What one card of `faceValue` costs in naira. */
export function priceGiftCard(
  plan: Pick<GiftCardPlan, 'currency'>,
  faceValue: bigint,
  rate: FxRate,
): GoodsPrice {
  return priceGoods({ amount: faceValue, currency: plan.currency }, rate);
}

/** Whether it is on sale to credentials of `environment`. */
export function isOnSale(
  plan: { readonly active: boolean; readonly testOnly: boolean },
  environment: Environment,
): boolean {
  return plan.active && (environment === 'test' || !plan.testOnly);
}
