/** Refuses a change of prices, rates, discounts or routes that would sell anything below cost. */

import { OperationError } from '../../core/errors.ts';
import type { Tx } from '../../db/database.ts';
import { findLosses, type PriceList } from './find-losses.ts';
import { readPriceList } from './price-list-store.ts';

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

/** Throws OperationError `sells_below_cost`. `change` returns the price list after the change. */
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
