/**
 * Builds the path of a purchase for one gateway process: accept, attempt, resolve, the worker, and
 * the recovery of dead processes' purchases.
 */
import type { KeyObject } from 'node:crypto';
import { hostname } from 'node:os';
import type { Catalog } from '../catalog/catalog.ts';
import type { Guards } from '../catalog/margins/guards.ts';
import type { Routes } from '../catalog/routes/routes.ts';
import type { Caller } from '../core/caller.ts';
import type { Clock } from '../core/clock.ts';
import type { Environment } from '../core/environment.ts';
import { GatewayError } from '../core/errors.ts';
import type { Failpoints } from '../core/failpoints.ts';
import type { IdSource } from '../core/ids.ts';
import { InFlight } from '../core/in-flight.ts';
import type { Round } from '../core/job.ts';
import type { Logger } from '../core/log.ts';
import type { OrderProduct } from '../core/products/product.ts';
import type { Repeat } from '../core/request-fault.ts';
import type { Sealer } from '../core/sealing.ts';
import type { TraceStep } from '../core/tracing.ts';
import { withTimeout } from '../core/with-timeout.ts';
import type { Database, Queries, Sql } from '../db/database.ts';
import type { Principal } from '../merchants/merchant.ts';
import { requireProduct } from '../merchants/require-enabled.ts';
import type { DeliveryChannel } from '../notifications/messages/destination.ts';
import type { Provider } from '../providers/provider.ts';
import type { HouseAccounts } from '../wallet/ledger/house-accounts.ts';
import { priceRequest } from './create/price-request.ts';
import { type Runner, runPurchase, verifyInRequest } from './create/run-purchase.ts';
import type { CustomerRequest, CustomerVerification } from './create/verify-customer.ts';
import { alikeOrders } from './engine/alike-store.ts';
import { CallbackHints } from './engine/callback-hints.ts';
import { PurchaseCommits } from './engine/commit-purchases.ts';
import { DatabaseClock } from './engine/database-clock.ts';
import type { GatewayIdentity } from './engine/gateway-store.ts';
import { IdempotencyLookup } from './engine/idempotency-lookup.ts';
import { OutcomeWaiters } from './engine/outcome-waiters.ts';
import { shareAccounts } from './engine/provider-room.ts';
import type { PurchaseEvents } from './engine/purchase-events.ts';
import { createPurchaseShares, type PurchaseShares } from './engine/purchase-shares.ts';
import { PurchaseRecovery } from './engine/recover-purchases.ts';
import { PurchaseDiversion } from './engine/reroute-purchases.ts';
import { findDeliveryAccounts } from './engine/resolve-purchase.ts';
import type { PurchaseLock } from './engine/sending-lock.ts';
import { findSentAttempt } from './engine/sent-attempt-store.ts';
import { PurchaseWorker } from './engine/work-purchases.ts';
import { balanceEvidence } from './evidence/balance-evidence.ts';
import { openPurchase, type PurchaseOpener } from './goods/open-purchase.ts';
import { askPendingFulfilment } from './goods/query-pending-fulfilments.ts';
import {
  findPurchase,
  listPurchases,
  type PurchasePage,
  type PurchasePageRequest,
} from './history/find-purchases.ts';
import type { FirstUse } from './history/purchase-store.ts';
import type { SentPurchase } from './idempotency/compare-with-first.ts';
import { compareWithFirst } from './idempotency/compare-with-first.ts';
import {
  type AvailabilityDependencies,
  type CheckAvailability,
  createAvailabilityCheck,
} from './orders/check-availability.ts';
import { createFloatCheck } from './orders/check-float.ts';
import type { Order, OrderRequest } from './orders/order.ts';
import type { OrderJudge } from './orders/price-order.ts';
import { createAskOrder, type QueryOrder } from './orders/query-order.ts';
import type { VoucherDependencies } from './orders/run-order.ts';
import { type OrderRunner, runOrder } from './orders/run-order.ts';
import { recheckSuccesses } from './rechecks/recheck-successes.ts';
import { SearchIndexing } from './search/index-purchases.ts';
import type { Purchase, PurchaseMode, PurchaseRequest } from './state/purchase.ts';
import { advanceTestClock, type ClockMove } from './test-clock/advance-test-clock.ts';

export type PurchasesOptions = {
  readonly databases: {
    readonly money: Database;
    readonly work: Database;
    readonly heartbeat: Sql;
    /** The reads of a merchant's lookups. */
    readonly readsOf: (merchantId: number) => Queries;
  };
  /** The tables of all cells, for records of all merchants. Absent: those of `databases.work`. */
  readonly whole?: Database;
  readonly catalog: Catalog;
  readonly routes: Routes;
  readonly guards: Guards;
  readonly restoreLock: PurchaseLock;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly houseAccounts: HouseAccounts;
  readonly role: 'api' | 'worker' | 'all';
  /**
   * False: the caller accepts nothing before the first `background.beat` succeeded. Default: this
   * function records that the process lives.
   */
  readonly announces?: boolean;
  /** What the cells of a process share. Absent: this is the only one. */
  readonly shares?: PurchaseShares;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly log: Logger;
  readonly failpoints: Failpoints;
  readonly syncDeadlineMs: number;
  readonly syncWaitMs: number;
  /** The age at which an async purchase that could not be sent is failed. */
  readonly asyncPatienceMs: number;
  readonly orderWaitMs: number;
  /** The factor of durations that have no setting. Absent: 1. */
  readonly timeScale?: number;
  /** The channels by which live orders can be sent to customers. */
  readonly liveChannels: readonly DeliveryChannel[];
  readonly sealer: Sealer;
  /** The key of stored hashes of voucher codes. */
  readonly pepper: KeyObject;
  readonly events: PurchaseEvents;
  readonly traceStep?: TraceStep | undefined;
};

/** The work in progress of this process, by kind. */
export type PurchaseGauges = {
  readonly acceptQueue: number;
  readonly resolveQueue: number;
  /** Purchases that a request works on. */
  readonly purchases: Readonly<Record<Environment, number>>;
  /** Sync purchases that wait for an outcome from elsewhere. */
  readonly awaited: number;
  readonly inHand: number;
};

/** The background work of purchases, a function for each job. Each may run in any process. */
type PurchaseBackground = {
  /**
   * Sends stored purchases and queries pending ones. Disposing it stops claiming and waits for
   * claimed purchases.
   */
  work(round: Round): AsyncDisposable;
  /** Records that this process is alive. */
  beat(): Promise<void>;
  /** Takes over the claims of dead processes. */
  takeOver(): Promise<void>;
  lookForForgotten(): Promise<void>;
  /** Repairs purchases that are stuck at a provider. */
  sweep(): Promise<void>;
  /** Moves waiting purchases to providers that can send them sooner. */
  reroute(): Promise<void>;
  /** Moves the low watermarks of the worker's queue. */
  moveQueueWatermarks(): Promise<void>;
  askPendingFulfilment(): Promise<number>;
  /** Fills the search table with final purchases. */
  indexSearch(): Promise<void>;
  /** Queries successes again, which their providers may have reversed. */
  recheckSuccesses(): Promise<number>;
};

export type Purchases = {
  /**
   * Requires that the merchant has the product and that the product has a route. Throws
   * GatewayError: `product_not_enabled`, `no_provider`.
   */
  requireOrders(principal: Principal, product: OrderProduct): void;
  /** Returns whether a gift card is available now. Stores nothing. */
  readonly checkAvailability: CheckAvailability;
  purchase(request: PurchaseRequest, mode: PurchaseMode, caller?: Caller): Promise<Purchase>;
  /**
   * Returns the current charge to the wallet, in kobo. Throws GatewayError for every refusal that
   * is possible before a provider or the database is called. Stores nothing.
   */
  priceOf(request: PurchaseRequest): bigint;
  /** Returns the customer of a bill. Stores nothing. */
  verifyBillCustomer(request: CustomerRequest, caller?: Caller): Promise<CustomerVerification>;
  /** Orders a gift card or an eSIM. */
  order(request: OrderRequest, caller?: Caller): Promise<Order>;
  /**
   * Returns the order, and queries its provider first if it is pending. Undefined for another
   * product's reference.
   */
  readonly queryOrder: QueryOrder;
  /** Returns the purchase with its goods. */
  findPurchase(principal: Principal, reference: string): Promise<Purchase | undefined>;
  /**
   * Returns the purchase that has the reference, or undefined if the reference is free. Look-ups
   * that arrive together share one statement.
   */
  findFirstUse(principal: Principal, reference: string): Promise<FirstUse | undefined>;
  /** Returns how a request differs from the merchant's purchase under the same reference. */
  compareWithFirst(principal: Principal, purchaseId: string, sent: SentPurchase): Promise<Repeat | undefined>;
  listPurchases(principal: Principal, request: PurchasePageRequest): Promise<PurchasePage>;
  /** Moves the test clock of a merchant ahead by so many seconds. */
  advanceTestClock(principal: Principal, advanceS: number): Promise<ClockMove>;
  /**
   * Queries a reference now, because its provider sent a callback. This is a hint, never an
   * outcome.
   */
  queryNow(provider: string, reference: string): Promise<void>;
  gauges(): PurchaseGauges;
  /** Prepares for a provider. Call it before the provider is added. */
  adopt(provider: Provider): Promise<void>;
  readonly gatewayId: string;
  /** The background work. src/app/jobs.ts has its intervals. */
  readonly background: PurchaseBackground;
  /** Waits for purchases that continue without their callers, up to `drainMs`. */
  drain(drainMs: number): Promise<void>;
  /** Hands its remaining claims over to other processes. Call it last. */
  signOff(): Promise<void>;
};

/** How long a request waits for a customer's name. */
const VERIFY_MS = 15_000;
const FULFILMENT_MARGIN_MS = 10_000;

/**
 * Resolves when purchases may be accepted. After that, `background.beat` must run every second
 * until the process has signed off.
 */
export async function startPurchases(options: PurchasesOptions): Promise<Purchases> {
  const { databases, log, clock, events, restoreLock } = options;
  const { money, work } = databases;
  const { whole = work } = options;
  const { gatewayId, places, awaiting } = options.shares ?? createPurchaseShares(options.newId);
  const gateway: GatewayIdentity = {
    id: gatewayId,
    role: options.role,
    host: hostname(),
    pid: process.pid,
    get providers() {
      return [...options.providers.keys()];
    },
  };
  const isPaused = ({ name, environment }: Provider): boolean =>
    restoreLock.isUp(environment) || options.routes.isPausedWhole(name);
  // Waiting callers are still answered with the failure. So the query that gives up on the goods
  // must be answered before the caller is.
  const marginMs = FULFILMENT_MARGIN_MS * (options.timeScale ?? 1);
  const unsentSyncMs = Math.max(options.syncDeadlineMs - marginMs, options.syncDeadlineMs / 2);
  const underWay = new InFlight();
  const commits = new PurchaseCommits(money, gateway.id, options.failpoints, events, options.traceStep);
  const waiters = new OutcomeWaiters(money, log);
  const houseAccounts = await findDeliveryAccounts(options.houseAccounts, options.providers.keys());
  const path = {
    ...options,
    ...events,
    sql: money,
    commits,
    houseAccounts,
    waiters,
    idempotencyLookup: new IdempotencyLookup(money),
    places,
    awaiting,
    unsentMs: { async: options.asyncPatienceMs, sync: unsentSyncMs, order: unsentSyncMs },
    fulfilmentMs: Math.max(options.syncDeadlineMs - marginMs, 0),
    verifyWithinMs: Math.min(VERIFY_MS, options.syncDeadlineMs / 2),
    findSentAttempt: (purchase) => findSentAttempt(work, purchase),
    alike: alikeOrders(whole),
    balances: balanceEvidence(whole, clock),
    onFinal: (purchase, effect, status) => {
      waiters.settle(purchase.purchaseId);
      events.onFinal(purchase, effect, status);
    },
    underWay,
    wakeWorker: (provider) => worker.wake(provider),
  } satisfies Runner & AvailabilityDependencies & OrderJudge & VoucherDependencies;
  const databaseClock = new DatabaseClock(clock);
  const worker = new PurchaseWorker({
    ...path,
    isPaused,
    databaseClock,
    database: money,
    gatewayId: gateway.id,
  });
  const diversion = new PurchaseDiversion({
    sql: work,
    providers: options.providers,
    isPaused,
    patienceMs: options.syncWaitMs,
    wake: (provider) => worker.wake(provider),
  });
  const recovery = new PurchaseRecovery({
    databases,
    gateway,
    share: (gateways) => {
      shareAccounts(options.providers, gateways, gateway.id);
      commits.shareWith(gateways.length);
    },
    log,
    clock,
    databaseClock,
    onTakenOver: () => worker.wake(),
  });
  const hints = new CallbackHints(work);
  const indexing = new SearchIndexing();
  const ordering: OrderRunner = {
    ...path,
    checkAvailability: createAvailabilityCheck(path),
    checkFloat: createFloatCheck(options.providers, clock),
  };
  const readerOf = ({ merchant }: Principal): PurchaseOpener => ({
    sql: databases.readsOf(merchant.id),
    sealer: options.sealer,
  });
  const queryOrder = createAskOrder({ ...path, readerOf });
  const recall = async ({ merchant, environment }: Principal, reference: string): Promise<void> =>
    await restoreLock.recall({ merchantId: merchant.id, environment, reference });
  /** While the restore lock is active, "not found" would lead the merchant to buy again. */
  const orLocked = <Found>({ environment }: Principal, found: Found | undefined): Found | undefined => {
    if (found === undefined && restoreLock.isUp(environment))
      throw new GatewayError({ code: 'purchases_locked' });
    return found;
  };
  if (options.announces !== false) await recovery.announce();
  return {
    purchase: (request, mode, caller) => runPurchase(path, request, mode, caller),
    priceOf: (request) => priceRequest(path, request, 'async').charge,
    requireOrders: (principal, product) => {
      requireProduct(principal, product);
      const { providers } = options.routes.find(principal.environment, product, product);
      if (providers.length === 0) throw new GatewayError({ code: 'no_provider', product, network: product });
    },
    checkAvailability: ordering.checkAvailability,
    verifyBillCustomer: (request, caller) => verifyInRequest(path, request, caller),
    order: (request, caller) => runOrder(ordering, request, caller),
    queryOrder: async (principal, product, reference) => {
      await recall(principal, reference);
      return orLocked(principal, await queryOrder(principal, product, reference));
    },
    findPurchase: async (principal, reference) => {
      await recall(principal, reference);
      const reader = readerOf(principal);
      const purchase = await findPurchase(reader.sql, principal, reference);
      return orLocked(principal, purchase && (await openPurchase(reader, purchase)));
    },
    findFirstUse: async (principal, reference) => {
      await recall(principal, reference);
      const { merchant, environment } = principal;
      return await path.idempotencyLookup.find({ merchantId: merchant.id, environment, reference });
    },
    compareWithFirst: (principal, purchaseId, sent) =>
      compareWithFirst(
        { ...path, sql: databases.readsOf(principal.merchant.id) },
        principal,
        purchaseId,
        sent,
      ),
    listPurchases: (principal, filter) =>
      listPurchases(databases.readsOf(principal.merchant.id), principal, filter),
    advanceTestClock: (principal, advanceS) =>
      advanceTestClock(
        { database: work, clock, failpoints: options.failpoints, wakeWorker: () => worker.wake() },
        principal,
        advanceS,
      ),
    queryNow: async (provider, reference) => {
      const purchaseId = await hints.take({ provider, reference });
      if (purchaseId === undefined) return;
      options.traceStep?.({ name: 'callback', purchaseId, tookMs: 0 });
      worker.wake(provider);
    },
    gauges: () => ({
      acceptQueue: commits.depths.accepts,
      resolveQueue: commits.depths.resolves,
      purchases: { live: path.places.heldOf('live'), test: path.places.heldOf('test') },
      awaited: waiters.size,
      inHand: worker.inHand,
    }),
    adopt: async (provider) => {
      if (worker.feeds(provider.name)) return;
      await houseAccounts.learn(provider.name);
      worker.feed(provider);
    },
    gatewayId: gateway.id,
    background: {
      work: (round) => {
        worker.start(round);
        return worker;
      },
      beat: () => recovery.beat(),
      takeOver: () => recovery.takeOver(),
      lookForForgotten: () => recovery.lookForForgotten(),
      sweep: () => worker.sweep(recovery.declaresDead()),
      reroute: () => diversion.run(),
      moveQueueWatermarks: () => worker.moveBounds(),
      askPendingFulfilment: () => askPendingFulfilment(work, path),
      indexSearch: () => indexing.run(work),
      recheckSuccesses: () => recheckSuccesses({ ...path, database: work }),
    },
    drain: async (drainMs) => void (await withTimeout(drainMs, underWay.over())),
    signOff: () => recovery.signOff(),
  };
}
