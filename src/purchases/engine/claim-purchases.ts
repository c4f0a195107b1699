/**
 * Claims purchases from the queue in one transaction, with the attempts that it stores. Guarantees:
 * what it returns is committed. If the answer to the commit was lost, it has checked. A purchase
 * with contradictory rows is quarantined with an alarm, and the others continue.
 */

import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/log.ts';
import type { Database, Tx } from '../../db/database.ts';
import { isConnectionLost } from '../../db/database-errors.ts';
import type { Provider } from '../../providers/provider.ts';
import type { PurchaseInHand } from '../state/purchase-in-hand.ts';
import {
  type ClaimedPurchase,
  insertAttempts,
  isAttemptStored,
  lockPending,
  type NewAttempt,
  type Step,
} from './claim-store.ts';
import type { DatabaseClock } from './database-clock.ts';
import { quarantinePurchases } from './quarantined-purchase-store.ts';
import { findMoves, grownOlder, unmoved } from './test-clock-store.ts';

export type Claimer = {
  readonly database: Database;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly clock: Clock;
  readonly databaseClock: Pick<DatabaseClock, 'correct'>;
  readonly log: Logger;
};

export type TakenPurchase = { readonly purchase: PurchaseInHand; readonly step: Step };
type Claim = { purchases: readonly TakenPurchase[]; attempts: readonly NewAttempt[] };

const TROUBLE_PAUSE_MS = 1_000;

/** `read` selects them by one of the statements of claim-store.ts. */
export async function takePurchases(
  claimer: Claimer,
  read: (tx: Tx) => Promise<ClaimedPurchase[]>,
  isStopping: () => boolean,
): Promise<readonly TakenPurchase[]> {
  const claim: Claim = { purchases: [], attempts: [] };
  const takenAtMs = claimer.clock.elapsedMs();
  try {
    await claimer.database.transaction(async (tx) => {
      await store(claimer, tx, await read(tx), takenAtMs, claim);
    });
  } catch (error) {
    if (!isConnectionLost(error) || !(await isCommitted(claimer, claim, isStopping))) throw error;
  }
  return claim.purchases;
}

async function store(
  claimer: Claimer,
  tx: Tx,
  claimed: readonly ClaimedPurchase[],
  takenAtMs: number,
  claim: Claim,
): Promise<void> {
  const wanted = claimed
    .filter((purchase) => purchase.step === 'send')
    .map((purchase) => newAttempt(claimer, purchase));
  const stored = wanted.length > 0 ? await insertAttempts(tx, wanted) : new Set<string>();
  claim.attempts = wanted.filter(({ purchaseId }) => stored.has(purchaseId));
  const fresh = new Map(claim.attempts.map((attempt) => [attempt.purchaseId, { ...attempt, ageMs: 0 }]));
  // The age of a purchase that was never sent counts from when it was accepted.
  const aged = claimed.filter(({ step, attempts }) => step === 'query' || attempts > 1);
  const moves = await findMoves(tx, aged);
  const moveOf = new Map(aged.map((purchase, i) => [purchase, moves[i]]));
  const odd: ClaimedPurchase[] = [];
  claim.purchases = claimed.flatMap((purchase) => {
    const found = purchase.step === 'send' ? fresh.get(purchase.purchaseId) : purchase.attempt;
    if (found === undefined) {
      odd.push(purchase);
      return [];
    }
    const ageMs = claimer.databaseClock.correct(purchase.ageMs);
    const attempt = { ...found, ageMs: claimer.databaseClock.correct(found.ageMs) };
    const inHand = { ...purchase, ageMs, attempt, takenAtMs };
    return [{ purchase: grownOlder(inHand, moveOf.get(purchase) ?? unmoved), step: purchase.step }];
  });
  if (odd.length === 0) return;
  await quarantinePurchases(tx, odd.map(oddity));
  claimer.log.error(
    { purchases: odd.map(({ purchaseId }) => purchaseId) },
    'purchases with contradictory rows are quarantined',
  );
}

/** In both cases nothing is sent: the attempt that was stored before may have been sent. */
function oddity({
  merchantId,
  purchaseId,
  step,
  attempts,
}: ClaimedPurchase): Parameters<typeof quarantinePurchases>[1][0] {
  const why =
    step === 'send' ? `attempt ${attempts} is on record already` : `attempt ${attempts} is not on record`;
  return { merchantId, purchaseId, why: `it is neither sent nor queried: ${why}` };
}

/**
 * Whether a claim was stored although the answer to its commit was lost. Without this check no
 * process would work on its purchases until their lease expires, and they would then fail without
 * having been sent. The purchase is locked first, which is a write: its commit waits for the same
 * standby as the claim. A read alone would show a claim that is lost when the standby takes over.
 */
async function isCommitted(
  { database, log }: Claimer,
  { purchases, attempts: [first] }: Claim,
  isStopping: () => boolean,
): Promise<boolean> {
  // Without attempts there are only queries, which are safe to repeat.
  if (first === undefined) return purchases.length > 0;
  while (!isStopping()) {
    try {
      return await database.transaction(async (tx) => {
        await lockPending(tx, first);
        return await isAttemptStored(tx, first);
      });
    } catch (error) {
      log.warn({ err: error }, 'cannot see whether purchases were taken; trying again');
      await new Promise((resolve) => setTimeout(resolve, TROUBLE_PAUSE_MS));
    }
  }
  return false;
}

function newAttempt({ providers, clock }: Claimer, purchase: ClaimedPurchase): NewAttempt {
  const provider = providers.get(purchase.provider);
  const { product, network, details } = purchase;
  const bought = { product, network, codes: details?.planCodes?.[purchase.provider] };
  return {
    merchantId: purchase.merchantId,
    purchaseId: purchase.purchaseId,
    number: purchase.attempts,
    provider: purchase.provider,
    account: provider?.account,
    reference:
      provider?.mintReference(clock.now(), purchase, bought) ??
      `unsendable-${purchase.purchaseId}-${purchase.attempts}`,
    reason: reasonOf(purchase),
  };
}

function reasonOf(purchase: ClaimedPurchase): string {
  if (purchase.attempts === 1) {
    return purchase.provider === purchase.route[0]
      ? 'first of the route'
      : 'the first of the route with room';
  }
  return purchase.attempts <= purchase.route.length
    ? 'next of the route: the one before did not take the order'
    : 'tried again: the order had not left';
}
