/**
 * Queries the provider of a pending purchase now. The answer takes effect like any other. If a
 * running gateway can query it, the purchase is made due there and its answer is awaited. Otherwise
 * the provider is called from here. Guarantees: it never sends an order. Every decision passes
 * resolve. The wait is bounded. If the process dies meanwhile, the purchase is unchanged, and the
 * worker queries it later.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { loadGuards } from '../../catalog/margins/guards.ts';
import type { Clock } from '../../core/clock.ts';
import { invariant, OperationError } from '../../core/errors.ts';
import { noFailpoints } from '../../core/failpoints.ts';
import { newId } from '../../core/ids.ts';
import { createLog } from '../../core/log.ts';
import type { Sealer } from '../../core/sealing.ts';
import { withTimeout } from '../../core/with-timeout.ts';
import type { Queries } from '../../db/database.ts';
import type { Tasking } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import type { Provider } from '../../providers/provider.ts';
import { alikeOrders } from '../engine/alike-store.ts';
import { type Attempter, queryAttempt } from '../engine/attempt-purchase.ts';
import { commitPurchases } from '../engine/commit-store.ts';
import { DEAD_AFTER_MS } from '../engine/gateway-store.ts';
import { findQueryablePurchase } from '../engine/queryable-purchase-store.ts';
import { type Resolver, resolvePurchase } from '../engine/resolve-purchase.ts';
import { readSendingState } from '../engine/restore-lock-store.ts';
import { sendingLock } from '../engine/sending-lock.ts';
import { findSentAttempt } from '../engine/sent-attempt-store.ts';
import { balanceEvidence } from '../evidence/balance-evidence.ts';
import { settlerOf } from '../goods/resolve-by-hand.ts';
import {
  countAnswers,
  findAnswerAfter,
  findStanding,
  isAskedByGateway,
  makePurchaseDue,
  type PurchaseKey,
  type SaidAnswer,
  type Standing,
} from './unresolved-store.ts';

export type Asker = Pick<Tasking, 'database' | 'actor'> & {
  readonly clock: Clock;
  readonly sealer: () => Promise<Sealer>;
  readonly openProviders: () => Promise<
    AsyncDisposable & { readonly providers: ReadonlyMap<string, Provider> }
  >;
};

export type QueriedPurchase = {
  readonly provider: string;
  /** Undefined if no answer came in time. */
  readonly said: SaidAnswer | undefined;
  readonly status: 'pending' | 'success' | 'failed';
  /** When it is queried next, while it is pending. */
  readonly dueAt: Date | null;
};

const LOOK_MS = 100;
const never = Number.POSITIVE_INFINITY;

/**
 * Throws OperationError: `no_purchase`, `purchase_final`, `order_not_sent`, `nobody_can_ask`.
 */
export async function queryPurchase(
  asker: Asker,
  purchase: PurchaseKey,
  waitMs: number,
): Promise<QueriedPurchase> {
  const { database, actor } = asker;
  const provider = requireQueryable(await findStanding(database, purchase), purchase);
  const isAskedElsewhere = await isAskedByGateway(database, provider, DEAD_AFTER_MS);
  const before = await countAnswers(database, purchase);
  await database.transaction(async (tx) => {
    await recordOperation(tx, {
      actor,
      action: 'purchase.query',
      subject: `purchase:${purchase.purchaseId}`,
      after: { provider },
    });
    if (isAskedElsewhere) await makePurchaseDue(tx, purchase);
  });
  if (!isAskedElsewhere) await askFromHere(asker, purchase, provider, waitMs);
  const said = await awaitAnswer(database, purchase, before, isAskedElsewhere ? waitMs : 0);
  const standing = await findStanding(database, purchase);
  return { provider, said, status: standing?.status ?? 'pending', dueAt: standing?.due_at ?? null };
}

function requireQueryable(standing: Standing | undefined, { purchaseId }: PurchaseKey): string {
  if (standing === undefined) throw new OperationError({ code: 'no_purchase', purchase: purchaseId });
  const { status, step, provider } = standing;
  if (status !== null) throw new OperationError({ code: 'purchase_final', status });
  if (step === 'send' || provider === null) throw new OperationError({ code: 'order_not_sent' });
  return provider;
}

async function awaitAnswer(
  database: Queries,
  purchase: PurchaseKey,
  before: number,
  waitMs: number,
): Promise<SaidAnswer | undefined> {
  const untilMs = performance.now() + waitMs;
  for (;;) {
    const said = await findAnswerAfter(database, purchase, before);
    if (said !== undefined || performance.now() > untilMs) return said;
    await sleep(LOOK_MS);
  }
}

/** Waits no longer than it may, because the provider's own time-out may be longer. */
async function askFromHere(asker: Asker, purchase: PurchaseKey, name: string, waitMs: number): Promise<void> {
  await using opened = await asker.openProviders();
  const provider = opened.providers.get(name);
  if (provider === undefined) throw new OperationError({ code: 'nobody_can_ask', provider: name });
  await withTimeout(waitMs, queryAndResolve(asker, purchase, name, opened.providers));
}

async function queryAndResolve(
  { database, clock, sealer }: Asker,
  purchase: PurchaseKey,
  provider: string,
  providers: ReadonlyMap<string, Provider>,
): Promise<void> {
  const taken = await findQueryablePurchase(database, purchase, clock.elapsedMs());
  // Final meanwhile, or to be sent again.
  if (taken === undefined) return;
  const unsentMs = { sync: never, async: never, order: never };
  const guards = await loadGuards(database);
  const state = await readSendingState(database);
  const restoreLock = sendingLock(() => state);
  const attempter: Attempter = {
    providers,
    guards,
    restoreLock,
    // A pause stops orders. A query orders nothing.
    routes: { isPaused: () => false },
    unsentMs,
    findSentAttempt: (asked) => findSentAttempt(database, asked),
    alike: alikeOrders(database),
    balances: balanceEvidence(database, clock),
    clock,
    failpoints: noFailpoints,
    onAnswer: () => undefined,
  };
  const settler = await database.transaction(async (tx) => settlerOf(tx, await sealer(), purchase, provider));
  const resolver: Resolver = {
    ...settler,
    commits: {
      resolve: async (item) => {
        const { resolves } = await commitPurchases(database, { accepts: [], resolves: [item] }, newId());
        const [verdict] = resolves;
        invariant(verdict !== undefined, 'each item has its verdict');
        return verdict;
      },
    },
    providers,
    guards,
    restoreLock,
    clock,
    log: createLog('silent', { write: () => undefined }),
    // The caller has stopped waiting.
    fulfilmentMs: 0,
    unsentMs,
    onFinal: () => undefined,
    onContradiction: () => undefined,
  };
  await resolvePurchase(resolver, taken, 'query', await queryAttempt(attempter, taken));
}
