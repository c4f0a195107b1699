/**
 * Refuses a change of prices, rates, discounts or routes after which something would be sold below
 * cost. It is checked against every plan and every discount that the change touches.
 */

import { OperationError } from '../../core/errors.ts';
import type { Tx } from '../../db/database.ts';
import { findLosses, type PriceList } from './find-losses.ts';
import { readPriceList } from './price-list-store.ts';

/**
 * Runs checks that refuse a change. With `force` the change is done all the same: gives whether
 * they refused it.
 */
export async function unlessForced(force: boolean, checks: () => Promise<void>): Promise<boolean> {
  try {
    await checks();
    return false;
  } catch (error) {
    if (force && error instanceof OperationError) return true;
    throw error;
  }
}

/** So many of the worst are named. */
const NAMED_MAX = 3;

/**
 * `change` gives the price list as it would be. Throws OperationError `sells_below_cost`.
 */
export async function refuseLosses(tx: Tx, change: (present: PriceList) => PriceList): Promise<void> {
  const present = await readPriceList(tx);
  const losses = findLosses(present, change(present));
  if (losses.length === 0) return;
  throw new OperationError({
    code: 'sells_below_cost',
    examples: losses.slice(0, NAMED_MAX),
    more: Math.max(0, losses.length - NAMED_MAX),
  });
}
