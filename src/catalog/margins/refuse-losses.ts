/** Refuses a change of prices, rates, price lists or routes that would sell anything below cost. */

import { OperationError } from '../../core/errors.ts';
import { BASIS_POINTS_WHOLE } from '../../core/money.ts';
import type { Sql } from '../../db/database.ts';
import {
  indexRules,
  type PriceRule,
  type PriceRules,
  placesOf,
  ruleAt,
} from '../../merchants/prices/price-rule.ts';
import { findLosses, type LivePrices, type PricedSale } from './find-losses.ts';
import { readLivePrices } from './live-prices-store.ts';

/** Runs checks that refuse a change. With `force`, returns whether they refused it instead. */
export async function unlessForced(force: boolean, checks: () => Promise<void>): Promise<boolean> {
  try {
    await checks();
    return false;
  } catch (error) {
    if (force && error instanceof OperationError) return true;
    throw error;
  }
}

/** The number of losses that the error names. */
const NAMED_MAX = 3;
/** The largest reduction of the face value without `force`: one fifth. */
const LARGE_CHANGE_BASIS_POINTS = 2_000;

/** Throws OperationError `sells_below_cost`. `change` returns the live prices after the change. */
export async function refuseLosses(sql: Sql, change: (present: LivePrices) => LivePrices): Promise<void> {
  const present = await readLivePrices(sql);
  throwLosses(findLosses(present, change(present)));
}

export type RuleChange = {
  /** As in `BuyerPrices`. */
  readonly buyer: string;
  readonly before: PriceRules;
  readonly after: PriceRules;
};

/**
 * Refuses rules that sell below cost, or that take more than a fifth off the face value, where
 * those `before` did not. Throws OperationError: `sells_below_cost`, `discount_change_large`.
 */
export async function refuseRules(sql: Sql, changes: readonly RuleChange[]): Promise<void> {
  const present = await readLivePrices(sql);
  for (const change of changes) refuseChange(present, change);
}

function refuseChange(present: LivePrices, { buyer, before, after }: RuleChange): void {
  const pays = (rules: PriceRules): LivePrices => ({
    ...present,
    lists: [{ buyer, rules: new Map([...faceValueRules, ...rules]) }],
  });
  throwLosses(findLosses(pays(before), pays(after)));
  const faceValues = new Map(present.plans.map(({ planCode, amount }) => [planCode, amount]));
  for (const place of [...before.values(), ...after.values()]) {
    const places = placesOf({ ...place, planKind: place.kind, planCode: place.plan });
    const basisPoints = reductionOf(ruleAt(after, places), faceValues);
    if (basisPoints <= LARGE_CHANGE_BASIS_POINTS) continue;
    if (basisPoints <= reductionOf(ruleAt(before, places), faceValues)) continue;
    throw new OperationError({
      code: 'discount_change_large',
      basisPoints,
      basisPointsMax: LARGE_CHANGE_BASIS_POINTS,
    });
  }
}

/** The rule that applies if a list has none. */
const faceValueRules = indexRules([
  { product: '*', network: '*', kind: '*', plan: '*', pricing: { by: 'off', off: 0 }, roundTo: 1n },
]);

/**
 * Returns the discount of a rule on the face value, in basis points. A margin gives no discount.
 */
function reductionOf(
  rule: PriceRule | undefined,
  faceValues: ReadonlyMap<string, bigint | undefined>,
): number {
  if (rule === undefined) return 0;
  const { pricing, plan } = rule;
  if (pricing.by === 'off') return pricing.off;
  const faceValue = faceValues.get(plan);
  if (pricing.by === 'margin' || faceValue === undefined || faceValue === 0n) return 0;
  return Number(((faceValue - pricing.price) * BASIS_POINTS_WHOLE) / faceValue);
}

/** Throws OperationError `sells_below_cost` if there are losses. */
export function throwLosses(losses: readonly PricedSale[]): void {
  if (losses.length === 0) return;
  throw new OperationError({
    code: 'sells_below_cost',
    examples: losses.slice(0, NAMED_MAX),
    more: Math.max(0, losses.length - NAMED_MAX),
  });
}
