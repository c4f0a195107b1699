/**
 * Starts the vending of a gateway process: one path of a purchase, or one for each cell, where an
 * installation has several.
 */
import type { systemClock } from '../core/clock.ts';
import type { Failpoints } from '../core/failpoints.ts';
import type { newId } from '../core/ids.ts';
import type { Logger } from '../core/log.ts';
import type { TraceStep } from '../core/tracing.ts';
import type { Database } from '../db/database.ts';
import type { Messengers } from '../notifications/messages/set-up-messengers.ts';
import type { LastAccepted, Purchase } from '../operate/restore-lock/last-accepted.ts';
import { removeGateway } from '../purchases/engine/gateway-store.ts';
import { createPurchaseShares } from '../purchases/engine/purchase-shares.ts';
import type { CallCounts } from '../purchases/health/call-counts.ts';
import { type Purchases, type PurchasesOptions, startPurchases } from '../purchases/purchases.ts';
import type { HouseAccounts } from '../wallet/ledger/house-accounts.ts';
import { CellContact } from './cell-contact.ts';
import type { Config } from './config.ts';
import type { ProcessParts } from './context.ts';
import type { LiveProviders } from './live-providers.ts';
import type { Metrics } from './metrics.ts';
import type { OpenCells } from './open-cells.ts';
import type { Databases } from './open-databases.ts';
import type { Secrets } from './open-storage.ts';
import { purchasesOfCells } from './purchases-of-cells.ts';
import type { Rules } from './rules.ts';

/** The dependencies that most parts of a gateway share. */
export type Shared = Secrets & {
  readonly database: Database;
  readonly houseAccounts: HouseAccounts;
  readonly clock: typeof systemClock;
  readonly newId: typeof newId;
  readonly log: Logger;
  readonly failpoints: Failpoints;
  readonly timeScale: number;
};

type Selling = Pick<ProcessParts, 'metrics' | 'traceStep'> & {
  readonly config: Config;
  readonly databases: Databases;
  readonly cells: OpenCells | undefined;
  readonly rules: Rules;
  readonly live: LiveProviders;
  readonly calls: CallCounts;
  readonly lastAccepted: LastAccepted;
  /** The same for each cell of another server, by its number. */
  readonly lastAcceptedOfCells: readonly LastAccepted[];
  readonly liveChannels: Messengers['liveChannels'];
};

/** A sync purchase or order that would wait longer for its provider is refused and not stored. */
const SYNC_WAIT_MS = 3_000;
/** An order whose provider takes longer is answered as pending. */
const ORDER_WAIT_MS = 10_000;

/** Starts vending. Nothing is sold while the restore lock is set. `stack` ends it. */
export async function startSelling(
  {
    config,
    databases,
    cells,
    rules,
    live,
    calls,
    metrics,
    traceStep,
    lastAccepted,
    lastAcceptedOfCells,
    liveChannels,
  }: Selling,
  shared: Shared,
  stack: AsyncDisposableStack,
): Promise<Purchases> {
  const options = {
    ...shared,
    ...rules,
    providers: live.providers,
    role: config.role,
    syncDeadlineMs: config.syncDeadlineMs,
    syncWaitMs: SYNC_WAIT_MS,
    asyncPatienceMs: config.asyncPatienceMs,
    orderWaitMs: ORDER_WAIT_MS,
    liveChannels,
    traceStep,
    events: {
      ...metrics.purchaseEvents,
      onAccepted: (purchase) => lastAccepted.note(purchase),
      onAnswer: (event) => {
        metrics.purchaseEvents.onAnswer(event);
        calls.onAnswer(event);
        if (traceStep !== undefined) traceAnswer(traceStep, event);
      },
    },
  } satisfies Omit<PurchasesOptions, 'databases'>;
  const purchases =
    cells === undefined
      ? await startPurchases({ ...options, databases })
      : await startCells(options, databases, cells, lastAcceptedOfCells);
  await live.start((provider) => purchases.adopt(provider));
  stack.defer(async () => {
    await purchases.signOff();
    if (cells?.placed[0] !== undefined) await removeGateway(databases.work, purchases.gatewayId);
  });
  return purchases;
}

/** A cell of another server that does not answer is served as soon as it does. */
async function startCells(
  options: Omit<PurchasesOptions, 'databases'>,
  whole: Databases,
  { databases, placed, cellOf, watchContact }: OpenCells,
  lastAcceptedOfCells: readonly LastAccepted[],
): Promise<Purchases> {
  const shares = createPurchaseShares(options.newId);
  const announces = placed.length === 0;
  const cells = await Promise.all(
    databases.map((on, number) => {
      const accepted = lastAcceptedOfCells[number];
      const events = {
        ...options.events,
        ...(accepted && { onAccepted: (one: Purchase) => accepted.note(one) }),
      };
      return startPurchases({ ...options, events, databases: on, shares, whole: whole.work, announces });
    }),
  );
  const all = await startPurchases({ ...options, databases: whole, shares, whole: whole.work });
  if (announces) return purchasesOfCells(all, cells, cellOf);
  const contact = new CellContact(
    cells.map(({ background }) => background.beat),
    options.log,
  );
  watchContact(contact);
  await Promise.all(cells.map((_, number) => contact.beat(number)));
  return purchasesOfCells(all, cells, cellOf, contact);
}

/** The trace context of a call about a purchase. */
function traceAnswer(
  traceStep: TraceStep,
  event: Parameters<Metrics['purchaseEvents']['onAnswer']>[0],
): void {
  const { purchaseId, operation, latencyMs, provider, kind, code = '' } = event;
  if (purchaseId === undefined) return;
  const facts = { 'oja.provider': provider, 'oja.kind': kind, 'oja.code': code };
  traceStep({ name: operation, purchaseId, tookMs: latencyMs, facts });
}
