/** Prices a plan from the cost that a provider lists, by the most specific rule. Pure. */

export type PriceRulePlace = {
  readonly product: string;
  /** `*`: every network, or every kind, without a rule of its own. */
  readonly network: string;
  readonly kind: string;
};

export type PriceRule = PriceRulePlace & {
  /** Of the cost. */
  readonly markupBasisPoints: number;
  /** In kobo. */
  readonly markup: bigint;
  /** Prices are rounded up to a multiple of this, in kobo. */
  readonly roundTo: bigint;
};

/** Finds the rule of a plan, in the order of routes. */
export function findPriceRule(
  rules: readonly PriceRule[],
  { product, network, kind }: PriceRulePlace,
): PriceRule | undefined {
  const places = [
    [network, kind],
    [network, '*'],
    ['*', kind],
    ['*', '*'],
  ];
  for (const [ofNetwork, ofKind] of places) {
    const found = rules.find(
      (rule) => rule.product === product && rule.network === ofNetwork && rule.kind === ofKind,
    );
    if (found !== undefined) return found;
  }
  return undefined;
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
