/**
 * Prices a purchase by a rule of a price list. Pure.
 *
 * Guarantees: a charge is never below zero and never above the face value.
 */
import { applyDiscount, BASIS_POINTS_WHOLE } from '../../core/money.ts';

/** The place of a rule. `*` stands for everything without a more specific rule. */
export type RulePlace = {
  readonly product: string;
  readonly network: string;
  readonly kind: string;
  readonly plan: string;
};

export type Pricing =
  /** In kobo. */
  | { readonly by: 'price'; readonly price: bigint }
  /** Off the face value, in hundredths of a percent. */
  | { readonly by: 'off'; readonly off: number }
  /** Over the expected cost, in hundredths of a percent. */
  | { readonly by: 'margin'; readonly margin: number };

export type PriceRule = RulePlace & {
  readonly pricing: Pricing;
  /** Charges are rounded up to a multiple of this, in kobo. 1: no rounding. */
  readonly roundTo: bigint;
};

/** The rules of one version of a list, by `placeName`. */
export type PriceRules = ReadonlyMap<string, PriceRule>;

/** The product of a purchase, in the terms of rules. */
export type PricedPlace = {
  readonly product: string;
  readonly network: string;
  /** Absent of products without kinds. */
  readonly planKind?: string | undefined;
  /** Absent if an amount is bought. */
  readonly planCode?: string | undefined;
};

/** Returns the name of a rule's place, such as `data/MTN/sme/*`. */
export function placeName({ product, network, kind, plan }: RulePlace): string {
  return `${product}/${network}/${kind}/${plan}`;
}

export function indexRules(rules: readonly PriceRule[]): PriceRules {
  return new Map(rules.map((rule) => [placeName(rule), rule]));
}

/**
 * Returns the names of the places whose rules may price a purchase, the most specific first: the
 * plan, then network and kind in the order of `mostSpecific`, then the product, then everything.
 */
export function placesOf({ product, network, planKind = '*', planCode }: PricedPlace): readonly string[] {
  const places = [
    `${product}/${network}/${planKind}/*`,
    `${product}/${network}/*/*`,
    `${product}/*/${planKind}/*`,
    `${product}/*/*/*`,
    '*/*/*/*',
  ];
  return planCode === undefined ? places : [`${product}/${network}/*/${planCode}`, ...places];
}

/** Finds the rule of the first of the places that has one. */
export function ruleAt(rules: PriceRules, places: readonly string[]): PriceRule | undefined {
  for (const place of places) {
    const rule = rules.get(place);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/**
 * Returns the charge in kobo. `cost` is the expected cost in kobo, which only a margin needs:
 * without it, a margin charges the face value.
 */
export function chargeByRule(
  { pricing, roundTo }: Pick<PriceRule, 'pricing' | 'roundTo'>,
  faceValue: bigint,
  cost: bigint | undefined,
): bigint {
  const charge = roundUp(chargeBy(pricing, faceValue, cost), roundTo);
  return charge < faceValue ? charge : faceValue;
}

function chargeBy(pricing: Pricing, faceValue: bigint, cost: bigint | undefined): bigint {
  switch (pricing.by) {
    case 'price':
      return pricing.price;
    case 'off':
      return applyDiscount(faceValue, pricing.off);
    case 'margin':
      return cost === undefined
        ? faceValue
        : cost + roundUp(cost * BigInt(pricing.margin), BASIS_POINTS_WHOLE) / BASIS_POINTS_WHOLE;
  }
}

function roundUp(amount: bigint, to: bigint): bigint {
  return ((amount + to - 1n) / to) * to;
}
