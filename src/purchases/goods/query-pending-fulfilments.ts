/**
 * Asks providers for what they owe after they have said success, and has it added to the purchase's
 * status. The purchase stays a success whatever they say; a provider that takes its success back is
 * a contradiction, like any other. After a week of questions a person takes over.
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
/** A provider that has not told by then never will: the alarm says where else to ask. */
const ASK_FOR_MS = 7 * 24 * 3_600_000;

/**
 * One round; gives how many were asked for. Safe to run anywhere, at any time: the first goods
 * stand.
 */
export async function askPendingFulfilment(sql: Sql, path: Attempter & Resolver): Promise<number> {
  const takenAtMs = path.clock.elapsedMs();
  const owed = await claimPendingFulfilment(sql, { limit: CLAIM_MAX, leaseMs: LEASE_MS, takenAtMs });
  const ask = async (late: OwedPurchase): Promise<void> => {
    await resolvePurchase(path, late.purchase, 'query', await queryAttempt(path, late.purchase));
    // After the question: however long nobody could ask, each is asked for once more before it is
    // given up.
    if (late.owedMs > ASK_FOR_MS) await giveUpPendingFulfilment(sql, late);
    else await releasePendingFulfilment(sql, late);
  };
  return await workAll(owed, ask, (late) => quarantinePendingFulfilment(sql, late));
}
