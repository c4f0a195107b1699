/**
 * Adds the deltas that purchases left on house accounts to the checkpoints of these accounts, in
 * the background.
 *
 * Guarantees: a balance (checkpoint plus deltas, read in one snapshot) is right before, during and
 * after; each delta is taken once, also when several processes roll up at once; one call takes a
 * bounded number.
 */

import { LowWatermark } from '../../core/low-watermark.ts';
import type { Database } from '../../db/database.ts';
import { consumeHouseDeltas } from './transfer-store.ts';

const DELTAS_PER_ROLL_UP_MAX = 20_000;

/**
 * Gives how many deltas it took, and whether there may be more. With a bound, it begins where the
 * run before it ended.
 */
export async function rollUpHouseBalances(
  database: Database,
  deltasMax: number = DELTAS_PER_ROLL_UP_MAX,
  bound: LowWatermark = new LowWatermark(),
): Promise<{ readonly consumed: number; readonly more: boolean }> {
  let consumed = 0;
  await bound.look(async (above) => {
    const taken = await database.transaction((tx) => consumeHouseDeltas(tx, above, deltasMax));
    consumed = taken.consumed;
    return taken.reached;
  });
  return { consumed, more: consumed === deltasMax };
}
