/** Prices a plan from the cost that a provider lists, by the most specific rule. Pure. */
import { mostSpecific } from '../most-specific.ts';

export type PriceRulePlace = {
  readonly product: string;
  /** `*`: every network, or every kind, without a specific rule. */
  readonly network: string;
  readonly kind: string;
};

export type PriceRule = PriceRulePlace & {
  /** A part of the cost. */
  readonly markupBasisPoints: number;
  /** In kobo. */
  readonly markup: bigint;
  /** Prices are rounded up to a multiple of this, in kobo. */
  readonly roundTo: bigint;
};

export function findPriceRule(
  rules: readonly PriceRule[],
  { product, ...place }: PriceRulePlace,
): PriceRule | undefined {
  return mostSpecific(place, (network, kind) =>
    rules.find((rule) => rule.product === product && rule.network === network && rule.kind === kind),
  );
}

const BASIS_POINTS_WHOLE = 10_000n;

/** Returns the price, in kobo. Never below the cost. */
export function priceByRule(
  cost: bigint,
  { markupBasisPoints, markup, roundTo }: Omit<PriceRule, keyof PriceRulePlace>,
): bigint {
  const share = roundUp(cost * BigInt(markupBasisPoints), BASIS_POINTS_WHOLE) / BASIS_POINTS_WHOLE;
  return roundUp(cost + share + markup, roundTo);
}

function roundUp(amount: bigint, to: bigint): bigint {
  return ((amount + to - 1n) / to) * to;
}
