/**
 * Moves the test clock of one merchant ahead: its test purchases, pending fulfilments, deliveries
 * and webhooks become due sooner by the move, and its purchases become older by the same time. Live
 * data and other merchants are not touched. Guarantees: all of it is one transaction. It waits for
 * a moment for purchases that a process has claimed or whose goods it queries, so that they are not
 * skipped. They continue in any case, by their lease or their process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../core/clock.ts';
import { GatewayError, invariant } from '../../core/errors.ts';
import type { Failpoints } from '../../core/failpoints.ts';
import { limits } from '../../core/limits.ts';
import type { Database, Tx } from '../../db/database.ts';
import { isLockTrouble } from '../../db/database-errors.ts';
import type { Principal } from '../../merchants/merchant.ts';
import { lockMerchant } from '../../merchants/merchant-store.ts';
import { moveTestDeliveries } from '../../notifications/messages/delivery-store.ts';
import { moveTestWebhooks } from '../../notifications/webhooks/webhook-delivery-store.ts';
import { lockWallets } from '../../wallet/ledger/transfer-store.ts';
import { hasPurchasesInHand, insertMove, movePendingPurchases } from '../engine/test-clock-store.ts';
import { hasPendingFulfilmentInHand, movePendingFulfilment } from '../goods/pending-fulfilment-store.ts';

export type ClockMove = {
  readonly advanceS: number;
  /** The sum of all moves, this one included. */
  readonly offsetS: number;
  /** The current time of the merchant's test clock. */
  readonly now: Date;
  /** What became due sooner. */
  readonly moved: {
    readonly purchases: number;
    readonly pendingFulfilments: number;
    readonly deliveries: number;
    readonly webhooks: number;
  };
};

export type TestClockDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly failpoints: Failpoints;
  /** There is work for the worker. */
  readonly wakeWorker: () => void;
};

/** How long it waits for claimed purchases. */
const IN_HAND_MS = 2_000;
const LOOK_MS = 25;

/** Throws GatewayError: `test_credentials_only`, `test_clock_ends`. */
export async function advanceTestClock(
  { database, clock, failpoints, wakeWorker }: TestClockDependencies,
  principal: Principal,
  advanceS: number,
): Promise<ClockMove> {
  if (principal.environment !== 'test') throw new GatewayError({ code: 'test_credentials_only' });
  const untilMs = clock.elapsedMs() + IN_HAND_MS;
  for (;;) {
    const isLast = clock.elapsedMs() >= untilMs;
    try {
      const move = await database.transaction(async (tx) => {
        const done = await moveAll(tx, principal, advanceS, isLast);
        await failpoints.reach('before-clock-commits');
        return done;
      });
      await failpoints.reach('after-clock-moved');
      wakeWorker();
      return { ...move, advanceS, now: new Date(clock.now().getTime() + 1_000 * move.offsetS) };
    } catch (error) {
      // If two transactions wait for each other's locks, PostgreSQL undoes one of them completely.
      const isUndone = error instanceof InHand || (isLockTrouble(error) && !isLast);
      if (!isUndone) throw error;
      await sleep(LOOK_MS);
    }
  }
}

/** Rolls the transaction back, because a purchase is claimed, and waits for it. */
class InHand extends Error {}

async function moveAll(
  tx: Tx,
  { merchant }: Principal,
  advanceS: number,
  isLast: boolean,
): Promise<Pick<ClockMove, 'offsetS' | 'moved'>> {
  // Moves of one merchant are serialised, and batches change pending rows only under the lock of
  // their wallet.
  invariant((await lockMerchant(tx, merchant.code)) !== undefined, 'merchants are never deleted');
  await lockWallets(tx, merchant.id, [...merchant.wallets.values()]);
  const purchases = await movePendingPurchases(tx, merchant.id, advanceS);
  // Later claims happen after the commit, because the row is locked until then.
  const isInHand =
    (await hasPurchasesInHand(tx, merchant.id)) || (await hasPendingFulfilmentInHand(tx, merchant.id));
  if (isInHand && !isLast) throw new InHand();
  const offsetS = await insertMove(tx, merchant.id, advanceS);
  if (offsetS > limits.testClockAheadS) {
    const leftS = limits.testClockAheadS - (offsetS - advanceS);
    throw new GatewayError({ code: 'test_clock_ends', leftS });
  }
  const moved = {
    purchases,
    pendingFulfilments: await movePendingFulfilment(tx, merchant.id, advanceS),
    deliveries: await moveTestDeliveries(tx, merchant.id, advanceS),
    webhooks: await moveTestWebhooks(tx, merchant.id, advanceS),
  };
  return { offsetS, moved };
}
