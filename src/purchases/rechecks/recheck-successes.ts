/**
 * Queries each success again several times in the seven days after it, if its provider may reverse
 * one and reports that only to queries. Resolve refuses a reversal as a contradiction and raises an
 * alarm. Then the provider's refund is booked onto the float. The purchase stays a success, and a
 * person decides about the merchant's money and the goods.
 *
 * Guarantees: one process at a time queries the successes of a provider and an age, in their order.
 * After a process died, the next continues at the last stored success. A reversal is stored before
 * it is booked, and booked once. The queries leave only while no other call waits for the provider,
 * a few at a time.
 */
import { OperationError } from '../../core/errors.ts';
import type { Queries } from '../../db/database.ts';
import type { ProviderAnswer } from '../../providers/provider.ts';
import { type Attempter, queryAttempt, type TimedAnswer } from '../engine/attempt-purchase.ts';
import { isOpen, spareTurn } from '../engine/provider-room.ts';
import { type Resolver, resolvePurchase } from '../engine/resolve-purchase.ts';
import { LEASE_MS } from '../engine/work-purchases.ts';
import { postRefund } from '../refunds/post-refund.ts';
import type { PurchaseInHand } from '../state/purchase-in-hand.ts';
import {
  beginRound,
  claimLooks,
  findDeliveredReference,
  isReversalStored,
  type Look,
  type LookedAt,
  leaveLook,
  moveLook,
  openLooks,
  passMinute,
  readLooks,
} from './recheck-store.ts';

export type RecheckDependencies = Attempter & Resolver & { readonly database: Queries };

const HOUR = 60;
const DAY = 24 * HOUR;
/** The ages at which a success is queried again, in minutes. */
export const RECHECK_AGES = [10, HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY] as const;
/** Successes of this age are not queried again, however many wait for it. */
const LAST_AGE = 8 * DAY;

const AT_ONCE = 4;
const RUN_MS = 15_000;
const TURN_MS = 500;
/** While other calls wait. */
const BUSY_PAUSE_MS = 5_000;
/** After a query without a clear answer. */
const UNCLEAR_PAUSE_MS = 60_000;
/** Then the success is skipped, and stays a success. */
const TRIES_MAX = 3;
const IDLE_PAUSE_MS = 30_000;
/** The actor of its refunds. */
const RECHECK = 'the recheck of successes';

/** Runs one round and returns how many successes were queried. */
export async function recheckSuccesses(dependencies: RecheckDependencies): Promise<number> {
  const { database } = dependencies;
  const providers = [...dependencies.providers.values()].filter(({ takesBack }) => takesBack);
  const names = providers.map(({ name }) => name);
  if (names.length === 0) return 0;
  await openLooks(database, names, RECHECK_AGES);
  const open = providers.filter(isOpen).map(({ name }) => name);
  const limit = open.length * RECHECK_AGES.length;
  const looks = limit === 0 ? [] : await claimLooks(database, open, { limit, leaseMs: LEASE_MS });
  const asked = await Promise.all(looks.map((look) => lookAt(dependencies, look)));
  return asked.reduce((sum, count) => sum + count, 0);
}

async function lookAt(dependencies: RecheckDependencies, look: Look): Promise<number> {
  const { database: sql, clock } = dependencies;
  const endMs = performance.now() + RUN_MS;
  const nextAge = RECHECK_AGES.find((age) => age > look.age_minutes) ?? LAST_AGE;
  const until = await beginRound(sql, look, nextAge);
  if (until === undefined) return 0;
  let { tries } = look;
  let asked = 0;
  while (performance.now() < endMs) {
    const takenAtMs = clock.elapsedMs();
    const next = await readLooks(sql, look, { until, limit: AT_ONCE, takenAtMs });
    if (next.length === 0) {
      if (await passMinute(sql, look, until)) continue;
      await leaveLook(sql, look, IDLE_PAUSE_MS, 0);
      return asked;
    }
    const answers = await Promise.all(next.map((one) => ask(dependencies, one, tries >= TRIES_MAX)));
    const first = answers.findIndex((answer) => answer !== 'clear');
    const last = next[(first === -1 ? next.length : first) - 1];
    if (last !== undefined) {
      if (!(await moveLook(sql, look, last, LEASE_MS))) return asked;
      asked += next.indexOf(last) + 1;
      tries = 1;
    }
    if (first !== -1) {
      const isBusy = answers[first] === 'no_turn';
      await leaveLook(sql, look, isBusy ? BUSY_PAUSE_MS : UNCLEAR_PAUSE_MS, isBusy ? tries - 1 : tries);
      return asked;
    }
  }
  await leaveLook(sql, look, 0, 0);
  return asked;
}

/** `isLast`: it is not queried again, whatever the answer. */
async function ask(
  dependencies: RecheckDependencies,
  { purchase }: LookedAt,
  isLast: boolean,
): Promise<'clear' | 'unclear' | 'no_turn'> {
  const { log } = dependencies;
  const provider = dependencies.providers.get(purchase.attempt.provider);
  const turn = provider && (await spareTurn(provider, purchase.merchantId, TURN_MS));
  if (turn === undefined) return 'no_turn';
  const timed = await queryAttempt(dependencies, purchase, turn);
  const { answer } = timed;
  const { kind, code } = answer;
  // Only a reversal is stored. The success itself is stored already.
  if (kind === 'failed') await storeReversal(dependencies, purchase, timed);
  // The account that knows the order is no longer in use.
  if (kind !== 'unknown' || answer.otherAccount) return 'clear';
  if (!isLast) return 'unclear';
  log.warn({ purchase: purchase.purchaseId, code }, 'a success could not be rechecked: it remains a success');
  return 'clear';
}

/** Stores a reversal with its alarm, then books the cost that the provider gave back. */
async function storeReversal(
  dependencies: RecheckDependencies,
  purchase: PurchaseInHand,
  timed: TimedAnswer,
): Promise<void> {
  const { database } = dependencies;
  if (!(await isReversalStored(database, purchase))) {
    await resolvePurchase(dependencies, purchase, 'query', timed);
  }
  try {
    await database.transaction(async (tx) => {
      const { merchantId, environment, purchaseId } = purchase;
      const reference = await findDeliveredReference(tx, purchase);
      if (reference === undefined) return;
      const named = { merchantId, environment, purchaseId, reference };
      const reason = reversalReason(purchase, timed.answer);
      await postRefund(tx, { purchase: named, kind: 'provider', amount: undefined, reason }, RECHECK);
    });
  } catch (error) {
    // A process that died, another age or an operator has booked it.
    if (!(error instanceof OperationError && error.details.code === 'nothing_to_refund')) throw error;
  }
}

function reversalReason({ attempt }: PurchaseInHand, { code, message }: ProviderAnswer): string {
  return `${attempt.provider} reversed ${attempt.reference}: ${code}, ${message}`.slice(0, 200);
}
