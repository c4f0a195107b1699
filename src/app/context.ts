/**
 * The composition root: constructs everything that a gateway process works with. What it starts is
 * stopped in the opposite order.
 */
import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { createSnapshotWatch, type SnapshotWatch } from '../alarms/snapshot-watch.ts';
import { type BackupAge, readBackupAge } from '../backup/backup-watch.ts';
import { type Catalog, loadCatalog } from '../catalog/catalog.ts';
import type { Database } from '../db/database.ts';
import { readDatabaseState } from '../db/database-state-store.ts';
import { requireOwnSessions } from '../db/judge-pooling.ts';
import { FloatWatch } from '../floats/watch-floats.ts';
import { createFunding, type Funding } from '../funding/funding.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Environment } from '../kernel/environment.ts';
import { newId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import { type RunningJobs, startJobs } from '../kernel/run-jobs.ts';
import { createSealer, type Sealer } from '../kernel/sealing.ts';
import { dieAt, noStopPoints } from '../kernel/stop-points.ts';
import type { TraceStep } from '../kernel/tracing.ts';
import { loadPepper, readKeyFile } from '../keys/secrets.ts';
import { createHouseAccounts } from '../ledger/house-accounts.ts';
import { loadGuards } from '../margins/guards.ts';
import { listMoneyTotals } from '../margins/money-total-store.ts';
import { type Authenticator, createAuthenticator } from '../merchants/authenticate.ts';
import { countOpenDeliveries } from '../messages/delivery-store.ts';
import { setUpMessengers } from '../messages/set-up-messengers.ts';
import type { Services } from '../operations/services.ts';
import type { Provider } from '../providers/provider.ts';
import type { Headers } from '../providers/provider-definition.ts';
import { QrCodes } from '../qrcode/qr-codes.ts';
import { type Fence, loadFence } from '../recovery/fence.ts';
import { fenceVending } from '../recovery/fence-vending.ts';
import { LifeWatch, settleLife, takeFenceRequest } from '../recovery/watch-life.ts';
import { loadRoutes, type Routes } from '../routing/routes.ts';
import { CallCounts } from '../vending/health/call-counts.ts';
import { HealthReport } from '../vending/health/report-health.ts';
import { HealthWatch } from '../vending/health/watch-health.ts';
import { countOpenAlarms, countPendingByAge } from '../vending/history/watch-store.ts';
import { startVending, type Vending } from '../vending/vending.ts';
import { createMtnBalances, type MtnBalances } from '../wallet/mtn-balance.ts';
import { countEndpointsByState } from '../webhooks/endpoint-store.ts';
import type { Config, Variables } from './config.ts';
import { createDeliveries } from './create-deliveries.ts';
import { ensureHistory } from './demo/history/ensure-history.ts';
import { startAlone } from './demo/start-alone.ts';
import { type Demo, startDemo } from './demo/start-demo.ts';
import { createEvents, type Events } from './events.ts';
import { gatewayServices } from './gateway-services.ts';
import type { HealthSources } from './health/gateway-health.ts';
import { listChecks } from './health/list-checks.ts';
import { ProvidersAway } from './health/providers-away.ts';
import { readDatabase } from './health/read-database.ts';
import { listJobs } from './jobs.ts';
import { type LiveProviders, openLiveProviders } from './live-providers.ts';
import type { Metrics } from './metrics.ts';
import type { Databases } from './open-databases.ts';
import { prepareDatabase } from './prepare-database.ts';
import { createProviderFloats, type ProviderFloats } from './provider-floats.ts';
import type { Registries } from './registries.ts';
import { reloadOnChange } from './reload-on-change.ts';
import { signInServices } from './sign-in-services.ts';
import { shipper, startDatabases } from './start-databases.ts';
import { chooseBanks, chooseLineProviders, liveBank, openBanks } from './upstreams.ts';
import { webhookRules } from './webhook-rules.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

/** A running gateway, without its listeners. */
export type Context = AsyncDisposable & {
  readonly databases: Databases;
  readonly catalog: Catalog;
  readonly authenticator: Authenticator;
  readonly vending: Vending;
  readonly funding: Funding;
  readonly mtnBalances: MtnBalances;
  readonly qrCodes: QrCodes;
  readonly fence: Fence;
  readonly events: Events;
  readonly webhooks: Webhooks['acts'];
  readonly metrics: Metrics;
  /** What its health is judged by. */
  readonly healthSources: HealthSources;
  /**
   * A provider's callback: a hint to ask it now. False when no provider of that name takes
   * callbacks.
   */
  readonly providerCallback: (
    provider: string,
    body: unknown,
    headers: Headers,
    raw: string,
  ) => Promise<boolean>;
  /** What operations of the admin API work with. */
  readonly services: Services;
  /** Present in the demo profile. */
  readonly demo: Demo | undefined;
};

type ProcessParts = {
  readonly metrics: Metrics;
  readonly isStopping: () => boolean;
  readonly traceStep: TraceStep | undefined;
};

export async function createContext(
  config: Config,
  registries: Registries,
  variables: Variables,
  log: Logger,
  { metrics, isStopping, traceStep }: ProcessParts,
): Promise<Context> {
  await using stack = new AsyncDisposableStack();
  const databases = await startDatabases(config, log, stack);
  const playsWeek = config.profile === 'demo' && config.demoHistory === 'week';
  const alone = playsWeek ? stack.use(await startAlone(databases.money)) : undefined;
  const { sealer, pepper } = await openStorage(databases, config, registries, log);
  const { money, work: database } = databases;
  const demo =
    config.profile === 'demo'
      ? await startDemo({ config, registries, variables, log, database, pepper }, stack)
      : undefined;
  const { simulatorUrl } = demo ?? {};
  const live = stack.use(
    await openLiveProviders(
      { config, variables, registries, simulatorUrl, sql: database, sealer: () => Promise.resolve(sealer) },
      log,
    ),
  );
  const { providers } = live;
  const banks = await openBanks(chooseBanks(config, registries, demo?.simulatorUrl), database, stack);
  if (demo !== undefined) {
    await ensureHistory({ database, providers, banks, sealer, pepper, log }, config.demoHistory);
    await alone?.[Symbol.asyncDispose]();
  }
  const calls = new CallCounts(() => systemClock.elapsedMs());
  const catalog = await loadCatalog(database);
  const routes = await loadRoutes(database);
  const guards = await loadGuards(database);
  const fence = await loadFence(database);
  const authenticator = stack.use(createAuthenticator({ database: money, pepper }));
  await authenticator.ready;
  const reloading = stack.use(
    reloadOnChange(database, { catalog, routes, guards, fence, providers: live }, log),
  );
  const shared = {
    database,
    sealer,
    pepper,
    houseAccounts: createHouseAccounts(money),
    clock: systemClock,
    newId,
    log,
    stopPoints: config.stopAt === undefined ? noStopPoints : dieAt(config.stopAt),
  };
  const payIns = new Map(registries.banks.flatMap(({ name, payIn }) => (payIn ? [[name, payIn]] : [])));
  const liveProvider = liveBank(config, banks);
  const funding = createFunding({ ...shared, providers: banks, liveProvider, payIns });
  const messengers = stack.use(setUpMessengers(messengerOptions(config, demo?.simulatorUrl)));
  const { role, fundingSweepMs, documentDays, retention, drainMs } = config;
  const open = await startVending({
    ...shared,
    databases,
    catalog,
    routes,
    guards,
    fence,
    providers,
    role,
    syncDeadlineMs: config.syncDeadlineMs,
    syncWaitMs: config.syncWaitMs,
    asyncPatienceMs: config.asyncPatienceMs,
    orderWaitMs: config.orderWaitMs,
    liveChannels: messengers.liveChannels,
    traceStep,
    events: {
      ...metrics.vendingEvents,
      onAnswer: (event) => {
        metrics.vendingEvents.onAnswer(event);
        calls.onAnswer(event);
        if (traceStep !== undefined) traceAnswer(traceStep, event);
      },
    },
  });
  const vending = fenceVending(open, fence);
  await live.start((provider) => vending.adopt(provider));
  stack.defer(() => vending.signOff());
  const qrCodes = stack.use(new QrCodes());
  const events = createEvents({ databases, pepper, log });
  const deliveries = createDeliveries({ ...shared, messengers, metrics });
  const webhooks = stack.use(createWebhooks({ ...shared, rules: webhookRules(config), metrics }));
  const floats = createProviderFloats(providers, systemClock);
  const health = new HealthReport({
    ...{ sql: database, gatewayId: vending.gatewayId, clock: systemClock, providers, lanes: vending.lanes },
    ...{ counts: calls, floatOf: (name) => floats.of(name), credentialsVersionOf: live.versionOf },
  });
  const snapshots = createSnapshotWatch(database);
  const backups = { maxAgeHours: config.backupMaxAgeHours, isExpected: config.backupKey !== undefined };
  const isPlayed = (name: string) => providers.get(name)?.environment === 'test';
  const healthWatch = new HealthWatch(database, systemClock, isPlayed);
  const floatWatch = new FloatWatch({ database, clock: systemClock, providers: registries.providers });
  const work = {
    ...{ messengers, signIn: signInServices(config) },
    reloading,
    authenticator,
    vending,
    funding,
    deliveries,
    webhooks: webhooks.work,
    floats,
    floatWatch,
    snapshots,
    backups,
    health,
    healthWatch,
    fence,
    life: new LifeWatch(database, config.dataDir, log),
  };
  const forgetting = { documentDays, retention };
  const parts = { database, ...work, fundingSweepMs, ...forgetting, drainMs, shipWal: shipper(config) };
  const jobs = stack.use(startJobs(listJobs(parts), { role, clock: systemClock, log }));
  stack.defer(async () => {
    await Promise.all([jobs.stopWork(), vending.drain(drainMs)]);
  });
  const lines = { get: (of: Environment) => chooseLineProviders(providers, demo !== undefined).get(of) };
  const providersAway = new ProvidersAway({
    ...{ providers, lanes: vending.lanes, calls, elapsedMs: () => systemClock.elapsedMs() },
  });
  watchGauges({
    ...{ database, providers, vending, metrics, floats, floatWatch, snapshots, jobs, calls, routes },
    events,
    backupAge: () => readBackupAge(database, backups),
    isAway: (name) => providersAway.last.has(name),
  });
  const checks = listChecks({
    ...{ profile: config.profile, role, routes, providers, fence, isStopping },
    schemaVersion: (await readDatabaseState(database)).schemaVersion,
    heartbeat: () => jobs.states().find(({ name }) => name === 'heartbeat'),
    now: () => systemClock.now(),
    findAway: (states) => providersAway.find(states),
    gauges: () => vending.gauges(),
    lateJobs: () => jobs.late(),
  });
  const healthSources = { checks, readDatabase: () => readDatabase(databases.heartbeat, sealer) };
  const held = {
    ...{ databases, catalog, authenticator, vending, funding, qrCodes, fence },
    ...{ events, webhooks: webhooks.acts },
  };
  const context = { ...held, metrics, demo };
  const services = gatewayServices({
    ...{ config, databases, registries, providers, banks, sealer, pepper, funding, simulatorUrl },
  });
  const owned = stack.move();
  return {
    ...context,
    services,
    healthSources,
    mtnBalances: createMtnBalances({ database, providers: lines, clock: systemClock }),
    providerCallback: callbackTaker(live, vending),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Brings the database up to date, and reads the two secrets that protect what is stored in it.
 */
async function openStorage(
  databases: Databases,
  config: Config,
  registries: Registries,
  log: Logger,
): Promise<{ readonly sealer: Sealer; readonly pepper: KeyObject }> {
  // Oja's own server has nothing between.
  if (config.databaseUrl !== undefined) await requireOwnSessions(config.databaseUrl);
  const { applied, odd = [] } = await prepareDatabase(databases.work, registries.providers);
  if (applied.length > 0) log.info({ applied }, 'database migrated');
  // Oja's own server alone has files that a restore can leave something beside.
  if (config.databaseUrl === undefined) await takeFenceRequest(databases.work, config.dataDir);
  await settleLife(databases.work, config.dataDir);
  for (const what of odd) log.warn(what);
  const key = config.encryptionKey ?? (await readKeyFile(config.dataDir));
  const sealer = createSealer(key, config.oldEncryptionKeys);
  return { sealer, pepper: await loadPepper(databases.work, sealer) };
}

/** Of a call about a purchase. */
function traceAnswer(traceStep: TraceStep, event: Parameters<Metrics['vendingEvents']['onAnswer']>[0]): void {
  const { vendId, operation, latencyMs, provider, kind, code = '' } = event;
  if (vendId === undefined) return;
  const facts = { 'oja.provider': provider, 'oja.kind': kind, 'oja.code': code };
  traceStep({ name: operation, vendId, tookMs: latencyMs, facts });
}

/** In the demo an endpoint may be on this machine. */
function messengerOptions(
  { smtp, termii, dataDir }: Config,
  simulatorUrl: string | undefined,
): Parameters<typeof setUpMessengers>[0] {
  const demo =
    simulatorUrl === undefined ? undefined : { outboxFolder: join(dataDir, 'outbox'), simulatorUrl };
  return { smtp, termii, demo };
}

/** Of a moment by the steady clock; undefined where there was none. */
function wallTime(atMs: number | undefined): Date | undefined {
  if (atMs === undefined) return undefined;
  return new Date(systemClock.now().getTime() - (systemClock.elapsedMs() - atMs));
}

/** What a callback says is not believed: it only makes the gateway query the provider now. */
function callbackTaker(
  live: Pick<LiveProviders, 'readCallback'>,
  vending: Pick<Vending, 'queryNow'>,
): Context['providerCallback'] {
  return async (provider, body, headers, raw) => {
    const readCallback = live.readCallback(provider);
    const reference = readCallback?.({ body, headers, raw, receivedAt: systemClock.now() })?.reference;
    if (reference !== undefined) await vending.queryNow(provider, reference);
    return readCallback !== undefined;
  };
}

type Watched = Pick<Context, 'vending' | 'metrics'> & {
  readonly jobs: Pick<RunningJobs, 'states'>;
  readonly database: Database;
  readonly providers: ReadonlyMap<string, Provider & { breakerState?(): string }>;
  readonly floats: ProviderFloats;
  readonly floatWatch: Pick<FloatWatch, 'statuses'>;
  readonly snapshots: SnapshotWatch;
  readonly backupAge: () => Promise<BackupAge>;
  readonly calls: CallCounts;
  readonly routes: Pick<Routes, 'isPausedWhole'>;
  readonly events: Pick<Events, 'waiting'>;
  readonly isAway: (provider: string) => boolean;
};

function watchGauges(watched: Watched): void {
  const {
    database,
    providers,
    vending,
    metrics,
    floats,
    floatWatch,
    snapshots,
    backupAge,
    jobs,
    calls,
    routes,
    events,
    isAway,
  } = watched;
  metrics.watch({
    gauges: () => vending.gauges(),
    pendingByAge: () => countPendingByAge(database, systemClock.now()),
    openAlarms: () => countOpenAlarms(database),
    openDeliveries: () => countOpenDeliveries(database),
    providerFloats: () => floats.all(),
    floatsReadAt: () =>
      floats.readAt().map(({ provider, atMs }) => ({ provider, at: wallTime(atMs) ?? new Date(0) })),
    floatStatuses: () => floatWatch.statuses(),
    moneyTotals: () => listMoneyTotals(database),
    backupAge,
    oldestSnapshots: () => snapshots.oldest(),
    breakers: () =>
      [...providers].flatMap(([provider, { breakerState }]) =>
        breakerState === undefined ? [] : [{ provider, state: breakerState() }],
      ),
    lanes: () =>
      [...vending.lanes].map(([provider, lane]) => ({
        ...{ provider, ...lane.use(), isPaused: routes.isPausedWhole(provider), isAway: isAway(provider) },
        lastAnswerAt: wallTime(calls.last(provider).lastAnswer?.atMs),
      })),
    jobs: () => jobs.states(),
    endpoints: () => countEndpointsByState(database),
    waitingPolls: () => events.waiting(),
  });
}
