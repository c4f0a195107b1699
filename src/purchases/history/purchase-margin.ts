/**
 * The cost of a purchase and our margin: the charge less the cost, both less their refunds. Pure.
 * In kobo.
 */
import { type Static, Type } from 'typebox';
import { formatAmount } from '../../core/money.ts';
import { nullable, nullableText } from '../../core/nullable.ts';
import { amountOutput, nullableAmount } from '../../core/operation-fields.ts';
import type { PurchaseDetails } from '../state/purchase-details.ts';

type SoldPurchase = {
  readonly charge: bigint;
  readonly face_value: bigint;
  readonly details: PurchaseDetails | null;
};

type SoldOutcome = {
  /** The provider's charge, or the expected one. Null for a failed purchase. */
  readonly cost: bigint | null;
  /** Null when it was never stored. */
  readonly cost_estimated: boolean | null;
};

/** The refunds after the success: to the merchant, and from the provider. */
type GivenBack = { readonly refunded: bigint; readonly costRefunded: bigint };

type PurchaseMargin = {
  readonly cost: bigint;
  /** The provider did not state the cost, so it is the expected one. */
  readonly isEstimated: boolean;
  readonly margin: bigint;
};

/** Undefined for a purchase that is not a success. */
function marginOfPurchase(
  { charge, face_value: faceValue, details }: SoldPurchase,
  outcome: SoldOutcome | undefined,
  { refunded, costRefunded }: GivenBack = { refunded: 0n, costRefunded: 0n },
): PurchaseMargin | undefined {
  if (outcome === undefined || outcome.cost === null) return undefined;
  const { cost, cost_estimated: estimated } = outcome;
  const expected = details?.cost === undefined ? faceValue : BigInt(details.cost);
  return {
    cost,
    isEstimated: estimated ?? cost === expected,
    margin: charge - refunded - (cost - costRefunded),
  };
}

/** As operations return it. */
export const marginFields = {
  cost: nullableAmount,
  /** The provider did not state the cost, so it is the expected one. */
  cost_estimated: nullable(Type.Boolean()),
  margin: nullableAmount,
};

/** For an order: its price in its currency, and the exchange rate at which it was accepted. */
export const priceField = nullable(
  Type.Object({
    currency: Type.String(),
    amount: amountOutput,
    rate: nullableText,
  }),
);

const marginOutput = Type.Object(marginFields);

export function marginAnswer(
  purchase: SoldPurchase,
  outcome: SoldOutcome | undefined,
  givenBack?: GivenBack,
): Static<typeof marginOutput> {
  const sold = marginOfPurchase(purchase, outcome, givenBack);
  if (sold === undefined) return { cost: null, cost_estimated: null, margin: null };
  const { cost, isEstimated, margin } = sold;
  return { cost: formatAmount(cost), cost_estimated: isEstimated, margin: formatAmount(margin) };
}

export function priceAnswer({ details }: Pick<SoldPurchase, 'details'>): Static<typeof priceField> {
  const item = details?.item;
  if (item === undefined) return null;
  const amount = BigInt(item.unitPrice) * BigInt(item.quantity);
  return { currency: item.currency, amount: formatAmount(amount), rate: details?.rate ?? null };
}
