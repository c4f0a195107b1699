/**
 * Puts the path of a vend together for one gateway process: accept, attempt, resolve, the worker
 * and the watch over what is left behind.
 */
import type { KeyObject } from 'node:crypto';
import { hostname } from 'node:os';
import type { Catalog } from '../catalog/catalog.ts';
import type { Database, Queries, Sql } from '../db/database.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { GatewayError } from '../kernel/errors.ts';
import { FairGate } from '../kernel/fair-gate.ts';
import type { IdSource } from '../kernel/ids.ts';
import { InFlight } from '../kernel/in-flight.ts';
import { limits } from '../kernel/limits.ts';
import type { Logger } from '../kernel/log.ts';
import type { Repeat } from '../kernel/request-fault.ts';
import type { Sealer } from '../kernel/sealing.ts';
import type { StopPoints } from '../kernel/stop-points.ts';
import type { TraceStep } from '../kernel/tracing.ts';
import { within } from '../kernel/within.ts';
import type { HouseAccounts } from '../ledger/house-accounts.ts';
import type { Guards } from '../margins/guards.ts';
import type { Principal } from '../merchants/merchant.ts';
import { requireProduct } from '../merchants/require-enabled.ts';
import type { DeliveryChannel } from '../messages/destination.ts';
import type { OrderProduct } from '../products/product.ts';
import type { Provider } from '../providers/provider.ts';
import type { Routes } from '../routing/routes.ts';
import { advanceTestClock, type ClockMove } from './clock/advance-test-clock.ts';
import { askLateGoods } from './goods/ask-late-goods.ts';
import { openVend, type VendOpener } from './goods/open-vend.ts';
import { findVend, listVends, type VendPage, type VendPageRequest } from './history/find-vends.ts';
import type { FirstUse } from './history/vend-store.ts';
import { type AskOrder, createAskOrder } from './orders/ask-order.ts';
import { type CheckAvailability, createAvailabilityCheck } from './orders/check-availability.ts';
import { createFloatCheck } from './orders/check-float.ts';
import type { Order, OrderRequest } from './orders/order.ts';
import { runOrder } from './orders/run-order.ts';
import { findAttemptAccount } from './path/attempt-account-store.ts';
import type { Attempter } from './path/attempt-vend.ts';
import { CallbackHints } from './path/callback-hints.ts';
import { VendCommits } from './path/commit-vends.ts';
import { DatabaseClock } from './path/database-clock.ts';
import { type DeliveryAccounts, findDeliveryAccounts } from './path/delivery-accounts.ts';
import { VendDiversion } from './path/divert-vends.ts';
import { FirstUses } from './path/first-uses.ts';
import type { GatewayIdentity, LiveGateway } from './path/gateway-store.ts';
import { findOrderAnswer } from './path/order-answer-store.ts';
import { OutcomeWaiters } from './path/outcome-waiters.ts';
import { shareAccounts } from './path/provider-room.ts';
import { VendRecovery } from './path/recover-vends.ts';
import type { Resolver } from './path/resolve-vend.ts';
import type { SendingFence } from './path/sending-fence.ts';
import { traceCommits } from './path/trace-commits.ts';
import type { VendingBackground } from './path/vending-background.ts';
import type { VendingEvents } from './path/vending-events.ts';
import type { VendingGauges } from './path/vending-gauges.ts';
import { VendWorker } from './path/work-vends.ts';
import { type Runner, runVend, verifyInRequest } from './purchases/run-vend.ts';
import type { CustomerRequest, CustomerVerification } from './purchases/verify-bill-customer.ts';
import { compareWithFirst } from './repeats/compare-with-first.ts';
import type { SentPurchase } from './repeats/sent-purchase.ts';
import { lookAgain } from './reversals/look-again.ts';
import { SearchIndexing } from './search/index-vends.ts';
import type { Vend, VendMode, VendRequest } from './vend/vend.ts';

export type VendingOptions = {
  readonly databases: {
    readonly money: Database;
    readonly work: Database;
    readonly heartbeat: Sql;
    /** What a merchant looks up is read here. */
    readonly readsOf: (merchantId: number) => Queries;
  };
  readonly catalog: Catalog;
  readonly routes: Routes;
  readonly guards: Guards;
  readonly fence: SendingFence;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly houseAccounts: HouseAccounts;
  readonly role: 'api' | 'worker' | 'all';
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly log: Logger;
  readonly stopPoints: StopPoints;
  readonly syncDeadlineMs: number;
  readonly syncWaitMs: number;
  /** How old an async purchase gets that could not be sent; then it is failed. */
  readonly asyncPatienceMs: number;
  readonly orderWaitMs: number;
  /** What waits without a setting are multiplied by; absent: 1. */
  readonly timeScale?: number;
  /** By which live orders can be sent to customers. */
  readonly liveChannels: readonly DeliveryChannel[];
  readonly sealer: Sealer;
  /** The key of stored hashes of voucher codes. */
  readonly pepper: KeyObject;
  readonly events: VendingEvents;
  readonly traceStep?: TraceStep | undefined;
};

export type Vending = {
  /**
   * Whether the catalog is for it: the merchant has the product, and it has a route. Throws
   * GatewayError: `product_not_enabled`, `no_provider`.
   */
  requireOrders(principal: Principal, product: OrderProduct): void;
  /** Whether a gift card can be had now. Stores nothing. */
  readonly checkAvailability: CheckAvailability;
  vend(request: VendRequest, mode: VendMode, caller?: Caller): Promise<Vend>;
  /** Who the customer of a bill is. Stores nothing. */
  verifyBillCustomer(request: CustomerRequest, caller?: Caller): Promise<CustomerVerification>;
  /** An order of a gift card or an eSIM. */
  order(request: OrderRequest, caller?: Caller): Promise<Order>;
  /**
   * As it stands, its provider asked where it is pending; undefined for another product's
   * reference.
   */
  readonly askOrder: AskOrder;
  /** With what it brought. */
  findVend(principal: Principal, reference: string): Promise<Vend | undefined>;
  /**
   * The vend that has the reference; undefined where it is free. Look-ups that come together are
   * one statement.
   */
  findFirstUse(principal: Principal, reference: string): Promise<FirstUse | undefined>;
  /** What is otherwise in a request than in the merchant's vend under the same reference. */
  compareWithFirst(principal: Principal, vendId: string, sent: SentPurchase): Promise<Repeat | undefined>;
  listVends(principal: Principal, request: VendPageRequest): Promise<VendPage>;
  /** Moves the test clock of a merchant ahead, by so many seconds. */
  advanceTestClock(principal: Principal, advanceS: number): Promise<ClockMove>;
  /** A provider says that there is news of a reference: ask it now. A hint, never an outcome. */
  queryNow(provider: string, reference: string): Promise<void>;
  gauges(): VendingGauges;
  /**
   * Makes ready for a provider that is to be used from now on. Only then it may be among the
   * providers.
   */
  adopt(provider: Provider): Promise<void>;
  readonly gatewayId: string;
  /** The work behind it. When it runs is said in src/app/jobs.ts. */
  readonly background: VendingBackground;
  /** Waits for purchases that go on without their callers, up to `drainMs`. */
  drain(drainMs: number): Promise<void>;
  /** What is left is handed over to other processes. The last thing to do. */
  signOff(): Promise<void>;
};

/** How long a customer's name is waited for. */
const VERIFY_MS = 15_000;
const LATE_GOODS_MARGIN_MS = 10_000;

/**
 * Resolves when vends may be accepted. From then on `background.beat` must run every second, until
 * the process has signed off.
 */
export async function startVending(options: VendingOptions): Promise<Vending> {
  const { databases, log, clock, events } = options;
  const { money, work } = databases;
  const gateway: GatewayIdentity = {
    id: options.newId(),
    role: options.role,
    host: hostname(),
    pid: process.pid,
    get providers() {
      return [...options.providers.keys()];
    },
  };
  const isPaused = ({ name, environment }: Provider): boolean =>
    options.fence.isUp(environment) || options.routes.isPausedWhole(name);
  // Whoever waits is still told that it failed.
  // The query that gives up on the goods must be answered before the caller is.
  const marginMs = LATE_GOODS_MARGIN_MS * (options.timeScale ?? 1);
  const unsentSyncMs = Math.max(options.syncDeadlineMs - marginMs, options.syncDeadlineMs / 2);
  const unsentMs = {
    async: options.asyncPatienceMs,
    sync: unsentSyncMs,
    order: unsentSyncMs,
  };
  const waiters = new OutcomeWaiters(money, log);
  const underWay = new InFlight();
  const places = new FairGate(limits.purchases);
  const awaiting = new FairGate(limits.outcomesAwaited);
  const attempter: Attempter = {
    ...options,
    unsentMs,
    findOrderAnswer: (vend) => findOrderAnswer(work, vend),
    findAttemptAccount: (vend) => findAttemptAccount(work, vend),
    onAnswer: events.onAnswer,
  };
  const commits = new VendCommits(money, gateway.id, options.stopPoints, events);
  const traced = traceCommits(commits, options.traceStep);
  const resolver = await createResolver(
    { ...options, unsentMs, lateGoodsMs: Math.max(options.syncDeadlineMs - marginMs, 0) },
    traced,
    waiters,
  );
  const databaseClock = new DatabaseClock(clock);
  const worker = new VendWorker({
    ...options,
    databaseClock,
    database: money,
    gatewayId: gateway.id,
    attempter,
    resolver,
    unsentMs,
    isPaused,
  });
  const diversion = new VendDiversion({
    sql: work,
    providers: options.providers,
    isPaused,
    patienceMs: options.syncWaitMs,
    wake: (provider) => worker.wake(provider),
  });
  const share = (gateways: readonly LiveGateway[]): void => {
    shareAccounts(options.providers, gateways, gateway.id);
    commits.shareWith(gateways.length);
  };
  const recovery = new VendRecovery({
    databases,
    gateway,
    share,
    log,
    clock,
    databaseClock,
    onTakenOver: () => worker.wake(),
  });
  const runner: Runner = {
    sql: money,
    judge: options,
    firstUses: new FirstUses(money),
    acceptor: { ...options, accept: (item) => traced.accept(item) },
    attempter,
    asker: { ...attempter, verifyWithinMs: Math.min(VERIFY_MS, options.syncDeadlineMs / 2) },
    resolver,
    sealer: options.sealer,
    waiters,
    stopPoints: options.stopPoints,
    clock,
    log,
    syncDeadlineMs: options.syncDeadlineMs,
    syncWaitMs: options.syncWaitMs,
    places,
    awaiting,
    wakeWorker: (provider) => worker.wake(provider),
    track: (work) => underWay.add(work),
    onUnfunded: events.onUnfunded,
    onRefused: events.onRefused,
  };
  const hints = new CallbackHints(work);
  const checkAvailability = createAvailabilityCheck({ ...options, onAnswer: events.onAnswer });
  const checkFloat = createFloatCheck(options.providers, clock);
  const readerOf = ({ merchant }: Principal): VendOpener => ({
    sql: databases.readsOf(merchant.id),
    sealer: options.sealer,
  });
  await recovery.announce();
  return {
    vend: (request, mode, caller) => runVend(runner, request, mode, caller),
    requireOrders: (principal, product) => {
      requireProduct(principal, product);
      const { providers } = options.routes.find(principal.environment, product, product);
      if (providers.length === 0) throw new GatewayError({ code: 'no_provider', product, network: product });
    },
    checkAvailability,
    verifyBillCustomer: (request, caller) => verifyInRequest(runner, request, caller),
    order: (request, caller) =>
      runOrder(
        {
          ...runner,
          orders: {
            judge: options,
            checkAvailability,
            checkFloat,
            sealer: options.sealer,
            pepper: options.pepper,
            waitMs: options.orderWaitMs,
          },
        },
        request,
        caller,
      ),
    askOrder: createAskOrder({
      readerOf,
      attempter,
      resolver,
      log,
      track: runner.track,
    }),
    findVend: async (principal, reference) => {
      const reader = readerOf(principal);
      const vend = await findVend(reader.sql, principal, reference);
      return vend && (await openVend(reader, vend));
    },
    findFirstUse: ({ merchant, environment }, reference) =>
      runner.firstUses.find({ merchantId: merchant.id, environment, reference }),
    compareWithFirst: (principal, vendId, sent) =>
      compareWithFirst(
        { ...options, sql: databases.readsOf(principal.merchant.id) },
        principal,
        vendId,
        sent,
      ),
    listVends: (principal, filter) => listVends(databases.readsOf(principal.merchant.id), principal, filter),
    advanceTestClock: (principal, advanceS) =>
      advanceTestClock(
        { database: work, clock, stopPoints: options.stopPoints, wakeWorker: () => worker.wake() },
        principal,
        advanceS,
      ),
    queryNow: async (provider, reference) => {
      const vendId = await hints.take({ provider, reference });
      if (vendId === undefined) return;
      options.traceStep?.({ name: 'callback', vendId, tookMs: 0 });
      worker.wake(provider);
    },
    gauges: () => ({
      acceptQueue: commits.depths.accepts,
      resolveQueue: commits.depths.resolves,
      purchases: { live: places.heldOf('live'), test: places.heldOf('test') },
      awaited: waiters.size,
      inHand: worker.inHand,
    }),
    adopt: async (provider) => {
      if (worker.feeds(provider.name)) return;
      await resolver.houseAccounts.learn(provider.name);
      worker.feed(provider);
    },
    gatewayId: gateway.id,
    background: backgroundOf({ work, log, worker, recovery, diversion, attempter, resolver }),
    drain: async (drainMs) => void (await within(drainMs, underWay.over())),
    signOff: () => recovery.signOff(),
  };
}

type Behind = {
  readonly work: Database;
  readonly log: Logger;
  readonly worker: VendWorker;
  readonly recovery: VendRecovery;
  readonly diversion: VendDiversion;
  readonly attempter: Attempter;
  readonly resolver: Resolver;
};

/** The jobs of vending, each to be run by itself. */
function backgroundOf({ work, log, worker, recovery, diversion, ...behind }: Behind): VendingBackground {
  const { attempter, resolver } = behind;
  const indexing = new SearchIndexing();
  return {
    work: (round) => {
      worker.start(round);
      return worker;
    },
    beat: () => recovery.beat(),
    takeOver: () => recovery.takeOver(),
    lookForForgotten: () => recovery.lookForForgotten(),
    sweep: () => worker.sweep(recovery.judgesDead()),
    divert: () => diversion.run(),
    moveQueueBounds: () => worker.moveBounds(),
    askLateGoods: () => askLateGoods(work, attempter, resolver),
    indexSearch: () => indexing.run(work),
    lookAgain: () => lookAgain({ sql: work, attempter, resolver, log }),
  };
}

async function createResolver(
  options: VendingOptions & Pick<Resolver, 'unsentMs' | 'lateGoodsMs'>,
  commits: Pick<VendCommits, 'resolve'>,
  waiters: OutcomeWaiters,
): Promise<Resolver & { readonly houseAccounts: DeliveryAccounts }> {
  const { events } = options;
  return {
    resolve: (item) => commits.resolve(item),
    providers: options.providers,
    clock: options.clock,
    guards: options.guards,
    fence: options.fence,
    log: options.log,
    sealer: options.sealer,
    lateGoodsMs: options.lateGoodsMs,
    unsentMs: options.unsentMs,
    timeScale: options.timeScale,
    houseAccounts: await findDeliveryAccounts(options.houseAccounts, options.providers.keys()),
    onFinal: (vend, effect, status) => {
      waiters.settle(vend.vendId);
      events.onFinal(vend, effect, status);
    },
    onContradiction: events.onContradiction,
  };
}
