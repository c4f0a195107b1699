/**
 * Estimates a provider's charge for an order from its earlier charges. Pure.
 *
 * A provider that charged less than the face value gives a discount in proportion; one that charged
 * more adds a fee. A plan at the provider's own price always costs the same.
 */
import type { Environment } from '../../core/environment.ts';
import type { Currency } from '../../core/money.ts';

/** The latest known cost of an order of `amount` at a provider, in kobo. */
export type KnownCost = {
  readonly environment: Environment;
  readonly product: string;
  readonly network: string;
  readonly provider: string;
  /** For airtime its kind, or empty for the usual one. */
  readonly planCode: string;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly cost: bigint;
};

/** Returns the key of a product and network in an environment. */
export function placeKey({
  environment,
  product,
  network,
}: Pick<KnownCost, 'environment' | 'product' | 'network'>): string {
  return `${environment}/${product}/${network}`;
}

/** The order whose cost is estimated. */
export type Ordered = {
  /** Undefined when the plan is not known. */
  readonly planCode: string | undefined;
  readonly currency: Currency;
  /**
   * The face value in kobo, or the price of a card or an eSIM in its currency. Undefined: the
   * amount of the provider's last sale.
   */
  readonly amount: bigint | undefined;
  /** Whether the provider has its own price for the plan. */
  readonly isFixed: boolean;
};

export type ExpectedCost = { readonly provider: string; readonly amount: bigint; readonly cost: bigint };

/**
 * Estimates the cost. `costs` are those of the product and network. For a plan that the provider
 * has not sold, returns the lowest estimate by its other plans. Undefined without any cost.
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

/** Compares the costs of the same amount. */
export function isCheaper(
  one: Pick<ExpectedCost, 'amount' | 'cost'>,
  other: Pick<ExpectedCost, 'amount' | 'cost'>,
): boolean {
  return one.cost * other.amount < other.cost * one.amount;
}
