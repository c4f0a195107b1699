/**
 * The group commit of a gateway process. Accepts and resolves share one statement, one lock per
 * wallet and one flush to disk.
 */

import { GatewayError, invariant } from '../../core/errors.ts';
import type { Failpoints } from '../../core/failpoints.ts';
import { limits } from '../../core/limits.ts';
import type { TraceStep } from '../../core/tracing.ts';
import type { Database, Sql } from '../../db/database.ts';
import {
  DatabaseUnavailableError,
  isConnectionLost,
  isLockTimeout,
  isLockTrouble,
  isUnavailable,
} from '../../db/database-errors.ts';
import type { AcceptItem, AcceptVerdict } from './accept-store.ts';
import { type CommittedPurchases, commitPurchases, findFreeWallets } from './commit-store.ts';
import { GroupCommit } from './group-commit.ts';
import type { PurchaseEvents } from './purchase-events.ts';
import type { ResolveItem, ResolveVerdict } from './resolve-store.ts';

type Work =
  | { readonly stage: 'accept'; readonly item: AcceptItem }
  | { readonly stage: 'resolve'; readonly item: ResolveItem };

type Verdict = AcceptVerdict | ResolveVerdict;

type Events = Pick<PurchaseEvents, 'onBatch' | 'onAccepted'>;

export class PurchaseCommits {
  readonly #group: GroupCommit<Work, Verdict>;
  #acceptsWaiting = 0;
  #resolvesWaiting = 0;
  readonly #traceStep: TraceStep | undefined;
  #processes = 1;

  constructor(
    database: Database,
    owner: string,
    failpoints: Failpoints,
    events: Events,
    traceStep?: TraceStep | undefined,
  ) {
    this.#traceStep = traceStep;
    this.#group = new GroupCommit({
      batchMax: limits.batchMax,
      inFlightMax: limits.batchesInFlightMax,
      besideMin: limits.batchBesideMin,
      besideAfterMs: limits.batchBesideAfterMs,
      gatherMs: (tookMs) =>
        this.#processes <= 1 ? 0 : Math.min(tookMs * limits.gatherShare, limits.gatherMaxMs),
      run: (works) => commitWorks(database, works, owner, failpoints, events),
      // A lock that is not a wallet's, such as a voucher's, concerns only one item.
      isShared: (error) => (isUnavailable(error) && !isLockTrouble(error)) || isConnectionLost(error),
      locks: {
        keyOf: ({ item }) => item.walletId,
        isHeld: isLockTimeout,
        findFree: (wallets) => findFreeWallets(database, wallets),
        waitMs: limits.walletWaitMs,
        refuse: () => new DatabaseUnavailableError('somebody holds the wallet: nothing was stored'),
      },
    });
  }

  /** Purchases and answers that wait or are being stored. */
  get depths(): { accepts: number; resolves: number } {
    return { accepts: this.#acceptsWaiting, resolves: this.#resolvesWaiting };
  }

  /** The number of live processes, including this one. They may use the same wallets. */
  shareWith(processes: number): void {
    this.#processes = processes;
  }

  /** Rejects with `purchases_full` when too many wait. Then nothing was stored. */
  accept(item: AcceptItem): Promise<AcceptVerdict> {
    if (this.#acceptsWaiting >= limits.acceptQueueMax) {
      return Promise.reject(new GatewayError({ code: 'purchases_full' }));
    }
    this.#acceptsWaiting += 1;
    const verdict = this.#submit({ stage: 'accept', item }) as Promise<AcceptVerdict>;
    verdict.then(this.#onAccepted, this.#onAccepted);
    return verdict;
  }

  /** Never rejects because too many wait. */
  resolve(item: ResolveItem): Promise<ResolveVerdict> {
    this.#resolvesWaiting += 1;
    const verdict = this.#submit({ stage: 'resolve', item }) as Promise<ResolveVerdict>;
    verdict.then(this.#onResolved, this.#onResolved);
    return verdict;
  }

  readonly #onAccepted = (): void => {
    this.#acceptsWaiting -= 1;
  };

  readonly #onResolved = (): void => {
    this.#resolvesWaiting -= 1;
  };

  #submit(work: Work): Promise<Verdict> {
    const submitted = this.#group.submit(work);
    return this.#traceStep === undefined ? submitted : trace(this.#traceStep, work, submitted);
  }
}

/** Reports how long the accept and each resolve of a purchase took, for measurements. */
async function trace(traceStep: TraceStep, work: Work, submitted: Promise<Verdict>): Promise<Verdict> {
  const startedAt = performance.now();
  try {
    return await submitted;
  } finally {
    const [purchaseId, kind] =
      work.stage === 'accept'
        ? [work.item.id, work.item.product]
        : [work.item.purchaseId, work.item.effect.kind];
    const facts = { 'oja.kind': kind };
    traceStep({ name: work.stage, purchaseId, tookMs: performance.now() - startedAt, facts });
  }
}

async function commitWorks(
  database: Database,
  works: readonly Work[],
  owner: string,
  failpoints: Failpoints,
  events: Events,
): Promise<Verdict[]> {
  const accepts: AcceptItem[] = [];
  const resolves: ResolveItem[] = [];
  for (const { stage, item } of works) {
    if (stage === 'accept') accepts.push(item);
    else resolves.push(item);
  }
  const run = (sql: Sql): Promise<CommittedPurchases> => commitPurchases(sql, { accepts, resolves }, owner);
  const startedAt = performance.now();
  // A single statement commits itself. Only the failpoint before the commit needs a transaction.
  const committed =
    failpoints.active && resolves.length > 0
      ? await database.transaction(async (tx) => {
          const verdicts = await run(tx);
          await failpoints.reach('before-resolve-commits');
          return verdicts;
        })
      : await run(database);
  const latencyMs = performance.now() - startedAt;
  if (accepts.length > 0) events.onBatch('accept', accepts.length, latencyMs);
  if (resolves.length > 0) events.onBatch('resolve', resolves.length, latencyMs);
  const last = accepts.findLast(
    ({ environment }, index) => environment === 'live' && committed.accepts[index]?.kind === 'accepted',
  );
  if (last !== undefined) events.onAccepted?.({ merchantId: last.merchantId, purchaseId: last.id });
  return inOrder(works, committed);
}

function inOrder(works: readonly Work[], committed: CommittedPurchases): Verdict[] {
  const next = { accept: 0, resolve: 0 };
  return works.map(({ stage }) => {
    const verdicts = stage === 'accept' ? committed.accepts : committed.resolves;
    const verdict = verdicts[next[stage]];
    next[stage] += 1;
    invariant(verdict !== undefined, 'every item of a commit has a verdict');
    return verdict;
  });
}
