/**
 * What a provider will take for an order, as far as it has said what it took before. Pure.
 *
 * A provider that takes less than the face value gives a share of it; one that takes more adds a
 * fee. A plan whose price is the provider's own costs the same whatever we sell it for.
 */
import type { Environment } from '../../core/environment.ts';
import type { Currency } from '../../core/money.ts';

/** What a provider took at last, in kobo, for `amount` of an order. */
export type KnownCost = {
  readonly environment: Environment;
  readonly product: string;
  readonly network: string;
  readonly provider: string;
  /** Empty where the product has no plans. */
  readonly planCode: string;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly cost: bigint;
};

/** What is ordered. */
export type Ordered = {
  /** Undefined where it is not known which plan it is. */
  readonly planCode: string | undefined;
  readonly currency: Currency;
  /**
   * Face value in kobo; of a card or an eSIM the price in its currency. Undefined: whatever the
   * provider sold at last.
   */
  readonly amount: bigint | undefined;
  /** The provider has a price of its own for the plan. */
  readonly isFixed: boolean;
};

export type ExpectedCost = { readonly provider: string; readonly amount: bigint; readonly cost: bigint };

/**
 * `costs` are those of the product and network. Undefined where the provider has said nothing. Of a
 * plan that it has not sold, the least that its other plans let expect.
 */
export function expectedCost(
  costs: readonly KnownCost[],
  provider: string,
  ordered: Ordered,
): ExpectedCost | undefined {
  const said = costs.filter(
    (known) => known.provider === provider && known.currency === ordered.currency && known.amount > 0n,
  );
  const own = said.find(({ planCode }) => planCode === ordered.planCode);
  if (own !== undefined && (ordered.isFixed || ordered.amount === undefined)) {
    return { provider, amount: ordered.amount ?? own.amount, cost: own.cost };
  }
  if (own !== undefined) return scaled(own, ordered.amount ?? own.amount);
  const same = ordered.planCode === undefined ? said.filter(({ amount }) => amount === ordered.amount) : [];
  const others = (same.length > 0 ? same : said).map((known) =>
    scaled(known, ordered.amount ?? known.amount),
  );
  return others.reduce<ExpectedCost | undefined>(
    (least, one) => (least === undefined || isCheaper(one, least) ? one : least),
    undefined,
  );
}

function scaled({ provider, currency, amount, cost }: KnownCost, ordered: bigint): ExpectedCost {
  const isFee = currency === 'NGN' && cost > amount;
  const expected = isFee ? ordered + (cost - amount) : (cost * ordered) / amount;
  return { provider, amount: ordered, cost: expected };
}

/** By what is taken for the same amount. */
export function isCheaper(
  one: Pick<ExpectedCost, 'amount' | 'cost'>,
  other: Pick<ExpectedCost, 'amount' | 'cost'>,
): boolean {
  return one.cost * other.amount < other.cost * one.amount;
}
