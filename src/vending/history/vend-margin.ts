/**
 * What a purchase cost us and what it brought: the charge less the cost, both less what was given
 * back of them. Pure. In kobo.
 */
import type { VendDetails } from '../vend/vend-details.ts';

type SoldVend = {
  readonly charge: bigint;
  readonly face_value: bigint;
  readonly details: VendDetails | null;
};

type SoldOutcome = {
  /** What the provider took, or was expected to; null of a failed purchase. */
  readonly cost: bigint | null;
  /** Null where a version before stored it. */
  readonly cost_estimated: boolean | null;
};

/** What was given back after the success: to the merchant, and by the provider. */
export type GivenBack = { readonly refunded: bigint; readonly costRefunded: bigint };

export type VendMargin = {
  readonly cost: bigint;
  /** No provider said it: it is what was expected. */
  readonly isEstimated: boolean;
  /**
   * Of a card or an eSIM: the price in its currency, in minor units, and the naira of a unit when
   * it was accepted; undefined where it was not stored.
   */
  readonly price:
    | { readonly currency: string; readonly amount: bigint; readonly rate: string | undefined }
    | undefined;
  readonly margin: bigint;
};

/** Undefined of a purchase that is not, or not yet, a success. */
export function marginOfVend(
  { charge, face_value: faceValue, details }: SoldVend,
  outcome: SoldOutcome | undefined,
  { refunded, costRefunded }: GivenBack = { refunded: 0n, costRefunded: 0n },
): VendMargin | undefined {
  if (outcome === undefined || outcome.cost === null) return undefined;
  const { cost, cost_estimated: estimated } = outcome;
  const expected = details?.cost === undefined ? faceValue : BigInt(details.cost);
  const item = details?.item;
  return {
    cost,
    isEstimated: estimated ?? cost === expected,
    price: item && {
      currency: item.currency,
      amount: BigInt(item.unitPrice) * BigInt(item.quantity),
      rate: details?.rate,
    },
    margin: charge - refunded - (cost - costRefunded),
  };
}
