/**
 * The composition root: constructs every part of a gateway process. The parts are stopped in the
 * opposite order.
 */
import { join } from 'node:path';
import type { Services } from '../backoffice/operations/services.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { syncByRules } from '../catalog/sync-by-rule.ts';
import { systemClock } from '../core/clock.ts';
import type { Environment } from '../core/environment.ts';
import { dieAt, noFailpoints } from '../core/failpoints.ts';
import { newId } from '../core/ids.ts';
import type { Logger } from '../core/log.ts';
import { QrCodes } from '../core/qrcode/qr-codes.ts';
import { startJobs } from '../core/run-jobs.ts';
import type { TraceStep } from '../core/tracing.ts';
import type { Database } from '../db/database.ts';
import { readDatabaseState } from '../db/database-state-store.ts';
import { FloatWatch } from '../finance/floats/watch-floats.ts';
import { measureProviders } from '../finance/measures/measure-providers.ts';
import { createFunding, type Funding } from '../funding/funding.ts';
import { type Authenticator, createAuthenticator } from '../merchants/authenticate.ts';
import { isUnchanged } from '../merchants/credential-store.ts';
import { setUpMessengers } from '../notifications/messages/set-up-messengers.ts';
import { readBackupAge } from '../operate/backup/backup-watch.ts';
import { CellRewinds } from '../operate/restore-lock/cell-rewinds.ts';
import { LastAccepted } from '../operate/restore-lock/last-accepted.ts';
import type { RestoreLock } from '../operate/restore-lock/restore-lock.ts';
import { RewindDetector } from '../operate/restore-lock/rewind-detector.ts';
import type { Headers } from '../providers/provider-definition.ts';
import { insertReading } from '../purchases/evidence/reading-store.ts';
import { CallCounts } from '../purchases/health/call-counts.ts';
import { HealthReport } from '../purchases/health/report-health.ts';
import { HealthWatch } from '../purchases/health/watch-health.ts';
import type { Purchases } from '../purchases/purchases.ts';
import { createHouseAccounts } from '../wallet/ledger/house-accounts.ts';
import { createMtnBalances, type MtnBalances } from '../wallet/mtn-balance.ts';
import { type Batches, createBatches } from './batches.ts';
import { collectingJobs, jobsWithCells } from './cell-jobs.ts';
import type { Config, Variables } from './config.ts';
import { createCounter } from './counter.ts';
import { createDeliveries } from './create-deliveries.ts';
import { type Demo, seedDemo } from './demo/seed-demo.ts';
import { createEvents, type Events } from './events.ts';
import { gatewayServices, signInServices, webhookRules } from './gateway-services.ts';
import type { HealthSources } from './health/gateway-health.ts';
import { listChecks } from './health/list-checks.ts';
import { ProvidersAway } from './health/providers-away.ts';
import { readDatabase } from './health/read-database.ts';
import { listJobs } from './jobs.ts';
import { type LiveProviders, openLiveProviders } from './live-providers.ts';
import type { Metrics } from './metrics.ts';
import { openCells } from './open-cells.ts';
import type { Databases } from './open-databases.ts';
import type { Secrets } from './open-storage.ts';
import { createProviderFloats } from './provider-floats.ts';
import type { Registries } from './registries.ts';
import { reloadOnChange } from './reload-on-change.ts';
import { loadRules } from './rules.ts';
import { type Shared, startSelling } from './start-selling.ts';
import { chooseBanks, chooseLineProviders, liveBank, openBanks } from './upstreams.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

/** A running gateway, without its listeners. */
export type Context = AsyncDisposable & {
  readonly databases: Databases;
  readonly catalog: Catalog;
  readonly authenticator: Authenticator;
  readonly purchases: Purchases;
  readonly funding: Funding;
  readonly mtnBalances: MtnBalances;
  readonly qrCodes: QrCodes;
  readonly restoreLock: RestoreLock;
  readonly events: Events;
  readonly webhooks: Webhooks['acts'];
  readonly batches: Batches['acts'];
  readonly metrics: Metrics;
  /** The sources of its health. */
  readonly healthSources: HealthSources;
  /**
   * Handles a provider's callback: a hint to query it now. False if no provider of that name has
   * callbacks.
   */
  readonly providerCallback: (
    provider: string,
    body: unknown,
    headers: Headers,
    raw: string,
  ) => Promise<boolean>;
  /** The dependencies of the admin API's operations. */
  readonly services: Services;
  /** Present in the demo profile. */
  readonly demo: Demo | undefined;
};

/** The parts that a process starts before its context. */
export type ProcessParts = {
  readonly databases: Databases;
  readonly secrets: Secrets;
  /** In the demo; settles when the simulator answers. Undefined in other profiles. */
  readonly simulator: Promise<string> | undefined;
  readonly metrics: Metrics;
  readonly isStopping: () => boolean;
  readonly traceStep: TraceStep | undefined;
};

export async function createContext(
  config: Config,
  registries: Registries,
  variables: Variables,
  log: Logger,
  { databases, secrets, simulator, metrics, isStopping, traceStep }: ProcessParts,
): Promise<Context> {
  await using stack = new AsyncDisposableStack();
  const { sealer, pepper } = secrets;
  const { money, work: database } = databases;
  const cells = await openCells(databases, stack);
  const demo: Demo | undefined = simulator && {
    credentials: await seedDemo(database, pepper, config.dataDir, registries.providers),
    simulatorUrl: await simulator,
  };
  const { simulatorUrl } = demo ?? {};
  const live = stack.use(
    await openLiveProviders(
      {
        config,
        variables,
        registries,
        simulatorUrl,
        sql: database,
        sealer: () => Promise.resolve(sealer),
        pepper: () => Promise.resolve(pepper),
      },
      log,
    ),
  );
  const { providers } = live;
  const banks = await openBanks(chooseBanks(config, registries, simulatorUrl), database, stack);
  const calls = new CallCounts(() => systemClock.elapsedMs());
  const placedCells = cells?.placed.map((on) => on.work) ?? [];
  const cellRewinds = new CellRewinds(database, placedCells, log);
  await cellRewinds.recall(config.dataDir);
  // Before the rules are loaded, because it may set the restore lock.
  await cellRewinds.look();
  const rules = await loadRules(database);
  const { catalog, routes, restoreLock } = rules;
  const authenticator = stack.use(
    createAuthenticator({
      database: money,
      pepper,
      confirm:
        cells?.placed[0] &&
        ((keyId, { principal, version }) => isUnchanged(cells.workOf(principal.merchant.id), keyId, version)),
    }),
  );
  await authenticator.ready;
  const reloading = stack.use(reloadOnChange(database, { ...rules, providers: live }, log));
  const shared: Shared = {
    database,
    sealer,
    pepper,
    houseAccounts: createHouseAccounts(money),
    clock: systemClock,
    newId,
    log,
    failpoints: config.stopAt === undefined ? noFailpoints : dieAt(config.stopAt),
    timeScale: config.timeScale,
  };
  const funding = openFunding(config, registries, shared, banks);
  const messengers = stack.use(setUpMessengers(messengerOptions(config, simulatorUrl)));
  const lastAccepted = new LastAccepted();
  const accepted = { lastAccepted, lastAcceptedOfCells: cellRewinds.accepted };
  const selling = { config, databases, cells, rules, live, calls, metrics, traceStep, ...accepted };
  const purchases = await startSelling({ ...selling, liveChannels: messengers.liveChannels }, shared, stack);
  const qrCodes = stack.use(new QrCodes());
  const readsOf = cells?.readsOf ?? databases.readsOf;
  const workOf = cells?.workOf ?? (() => database);
  const counter = createCounter({ database, ...rules, purchases, authenticator });
  const events = createEvents({ readsOf, database, pepper, log });
  const { portal: portalUrl } = signInServices(config).addresses;
  const partsOn = (on: Database) => ({
    database: on,
    batches: createBatches({ ...shared, database: on, ...rules, workOf, readsOf, purchases, authenticator }),
    deliveries: createDeliveries({ ...shared, database: on, portalUrl, messengers, metrics }),
    webhooks: stack.use(
      createWebhooks({ ...shared, database: on, workOf, readsOf, rules: webhookRules(config), metrics }),
    ),
  });
  const own = partsOn(database);
  const life = new RewindDetector(database, config.dataDir, log, lastAccepted, cellRewinds.accepted);
  // Checked before anything is sold over a connection to a server that was stopped meanwhile.
  for (const { onConnect } of [databases, ...(cells?.inOneServer ?? [])]) {
    onConnect(async (sql) => {
      if (await life.isBehindOn(sql)) restoreLock.suspect();
    });
  }
  const watches = openWatches({ config, database, purchases, live, calls });
  const work = {
    ...watches,
    ...own,
    messengers,
    signIn: signInServices(config),
    reloading,
    authenticator,
    purchases,
    funding,
    restoreLock,
    fundingSweepMs: config.fundingSweepMs,
    documentDays: config.documentDays,
    retention: config.retention,
    drainMs: config.drainMs,
    life,
    placedCells,
    syncCatalog: () => syncByRules({ database, providers, nameOf: (id) => live.accounts().nameOf(id) }),
  };
  const jobsOfCells =
    cells?.placed.map((on) => listJobs({ ...work, ...partsOn(on.work), coordinator: database })) ?? [];
  const allJobs =
    jobsOfCells.length === 0
      ? listJobs(work)
      : [
          ...jobsWithCells(listJobs(work), jobsOfCells),
          ...collectingJobs(database, placedCells, cellRewinds, databases.connectionString),
        ];
  const jobs = stack.use(startJobs(allJobs, { role: config.role, clock: systemClock, log }));
  stack.defer(async () => {
    await Promise.all([jobs.stopWork(), purchases.drain(config.drainMs)]);
  });
  const providersAway = new ProvidersAway({
    providers,
    calls,
    elapsedMs: () => systemClock.elapsedMs(),
  });
  metrics.nameProviders((id) => live.accounts().nameOf(id));
  metrics.watch({
    floats: watches.floats,
    database,
    purchases,
    providers,
    jobs,
    routes,
    events,
    backupAge: () => readBackupAge(database, watches.backups),
    isAway: (name) => providersAway.last.has(name),
    cells: () => cells?.states() ?? [],
  });
  const checks = listChecks({
    profile: config.profile,
    role: config.role,
    routes,
    providers,
    restoreLock,
    life,
    isStopping,
    schemaVersion: (await readDatabaseState(database)).schemaVersion,
    heartbeat: () => jobs.states().find(({ name }) => name === 'heartbeat'),
    now: () => systemClock.now(),
    findAway: (states) => providersAway.find(states),
    gauges: () => purchases.gauges(),
    lateJobs: () => jobs.late(),
    reachesCells: () => cells?.states().some(({ isReachable }) => isReachable) ?? false,
  });
  const lines = { get: (of: Environment) => chooseLineProviders(providers, demo !== undefined).get(of) };
  const { batches, webhooks } = own;
  const placed = cells?.placed[0] && cells.placed;
  const opened = { config, databases, placed, registries, providers, banks, funding, batches, counter };
  const owned = stack.move();
  return {
    databases: { ...databases, readsOf },
    catalog,
    authenticator,
    purchases,
    funding,
    qrCodes,
    restoreLock,
    events,
    webhooks: webhooks.acts,
    batches: batches.acts,
    metrics,
    demo,
    services: gatewayServices({ ...opened, ...secrets }),
    healthSources: { checks, readDatabase: () => readDatabase(databases.heartbeat, sealer) },
    mtnBalances: createMtnBalances({ database, providers: lines, clock: systemClock }),
    providerCallback: callbackTaker(live, purchases),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function openFunding(
  config: Config,
  registries: Registries,
  shared: Shared,
  providers: Awaited<ReturnType<typeof openBanks>>,
): Funding {
  const payIns = new Map(registries.banks.flatMap(({ name, payIn }) => (payIn ? [[name, payIn]] : [])));
  return createFunding({ ...shared, providers, liveProvider: liveBank(config, providers), payIns });
}

type Looked = {
  readonly config: Config;
  readonly database: Database;
  readonly purchases: Purchases;
  readonly live: LiveProviders;
  readonly calls: CallCounts;
};

/** The watchers of providers, floats and backups. */
function openWatches({ config, database, purchases, live, calls }: Looked) {
  const { providers } = live;
  const floats = createProviderFloats(providers, systemClock, (reading) => insertReading(database, reading));
  const isPlayed = (id: string) => providers.get(id)?.environment === 'test';
  const nameOf = (id: string) => live.accounts().nameOf(id);
  return {
    floats,
    floatWatch: new FloatWatch({
      database,
      clock: systemClock,
      get providers() {
        return live.accounts().definitions;
      },
      nameOf,
    }),
    measureProviders: () =>
      measureProviders({ database, clock: systemClock, providers: live.accounts().definitions }),
    health: new HealthReport({
      sql: database,
      gatewayId: purchases.gatewayId,
      clock: systemClock,
      providers,
      counts: calls,
      floatOf: (name) => floats.of(name),
      credentialsVersionOf: live.versionOf,
    }),
    healthWatch: new HealthWatch(database, systemClock, { isPlayed, nameOf }),
    backups: { maxAgeHours: config.backupMaxAgeHours, isExpected: config.profile === 'production' },
  };
}

/** In the demo a webhook endpoint can be on this machine. */
function messengerOptions(
  { smtp, termii, dataDir }: Config,
  simulatorUrl: string | undefined,
): Parameters<typeof setUpMessengers>[0] {
  const demo =
    simulatorUrl === undefined ? undefined : { outboxFolder: join(dataDir, 'outbox'), simulatorUrl };
  return { smtp, termii, demo };
}

/** A callback is not trusted: it only makes the gateway query the provider now. */
function callbackTaker(
  live: Pick<LiveProviders, 'readCallback' | 'accounts'>,
  purchases: Pick<Purchases, 'queryNow'>,
): Context['providerCallback'] {
  return async (provider, body, headers, raw) => {
    // Providers call the address that they were given, also after the account was renamed.
    const id = live.accounts().idOf(provider);
    const readCallback = live.readCallback(id);
    const reference = readCallback?.({ body, headers, raw, receivedAt: systemClock.now() })?.reference;
    if (reference !== undefined) await purchases.queryNow(id, reference);
    return readCallback !== undefined;
  };
}
