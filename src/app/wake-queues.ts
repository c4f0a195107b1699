/**
 * Wakes what waits in tables, and would be done hours later because the database's clock was set
 * back.
 * Purchases have a watch of their own (src/vending/path/recover-vends.ts).
 */
import type { Sql } from '../db/database.ts';
import { wakeSweeps, wakeUnsettledAccounts } from '../funding/funding-account-store.ts';
import { wakeNotices } from '../funding/notice-store.ts';
import { wakeDeliveries } from '../messages/delivery-store.ts';
import { wakeMails } from '../users/mail-store.ts';
import { wakeLateGoods } from '../vending/goods/late-goods-store.ts';
import { wakeSecondLooks } from '../vending/reversals/second-look-store.ts';
import { wakeEndpoints } from '../webhooks/round-store.ts';

/**
 * Gives how many were woken. Safe to run anywhere, at any time. `sweepMs`: how often the payments
 * of a funding account are listed.
 */
export async function wakeQueues(sql: Sql, sweepMs: number): Promise<number> {
  let woken = await wakeSweeps(sql, sweepMs);
  for (const wake of [
    wakeNotices,
    wakeUnsettledAccounts,
    wakeDeliveries,
    wakeLateGoods,
    wakeSecondLooks,
    wakeEndpoints,
    wakeMails,
  ])
    woken += await wake(sql);
  return woken;
}
