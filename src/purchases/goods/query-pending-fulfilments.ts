/**
 * Queries providers for goods that are missing after a success, and adds them to the purchase. The
 * purchase stays a success whatever they answer. A provider that takes back its success is a
 * contradiction, like any other. After a week of queries a person takes over.
 */
import type { Sql } from '../../db/database.ts';
import { workAll } from '../../db/queue/work-all.ts';
import { type Attempter, queryAttempt } from '../engine/attempt-purchase.ts';
import { type Resolver, resolvePurchase } from '../engine/resolve-purchase.ts';
import { LEASE_MS } from '../engine/work-purchases.ts';
import {
  claimPendingFulfilment,
  giveUpPendingFulfilment,
  type OwedPurchase,
  quarantinePendingFulfilment,
  releasePendingFulfilment,
} from './pending-fulfilment-store.ts';

const CLAIM_MAX = 50;
/**
 * A provider that has not returned the goods by then never will. The alarm names other places to
 * look.
 */
const ASK_FOR_MS = 7 * 24 * 3_600_000;

/**
 * Runs one round and returns how many were queried. Safe to run anywhere and at any time, because
 * the first goods stay.
 */
export async function askPendingFulfilment(sql: Sql, path: Attempter & Resolver): Promise<number> {
  const takenAtMs = path.clock.elapsedMs();
  const owed = await claimPendingFulfilment(sql, { limit: CLAIM_MAX, leaseMs: LEASE_MS, takenAtMs });
  const ask = async (late: OwedPurchase): Promise<void> => {
    await resolvePurchase(path, late.purchase, 'query', await queryAttempt(path, late.purchase));
    // After the query: each purchase is queried once more before it is given up, however long no
    // query was possible.
    if (late.owedMs > ASK_FOR_MS) await giveUpPendingFulfilment(sql, late);
    else await releasePendingFulfilment(sql, late);
  };
  return await workAll(owed, ask, (late) => quarantinePendingFulfilment(sql, late));
}
