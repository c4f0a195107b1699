/**
 * The composition root: constructs everything, with the help of upstreams.ts. What it starts is
 * stopped in the opposite order.
 */
import { join } from 'node:path';
import { type Catalog, loadCatalog } from '../catalog/catalog.ts';
import { changesChannel } from '../db/change-notice-store.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { startEmbeddedServer } from '../db/embedded-server.ts';
import { createFunding, type Funding } from '../funding/funding.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Environment } from '../kernel/environment.ts';
import { newId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import { type RunningJobs, startJobs } from '../kernel/run-jobs.ts';
import { createSealer, type Sealer } from '../kernel/sealing.ts';
import { dieAt, noStopPoints, type StopPoints } from '../kernel/stop-points.ts';
import { loadPepper, readKeyFile } from '../keys/secrets.ts';
import { createHouseAccounts } from '../ledger/house-accounts.ts';
import { type Authenticator, createAuthenticator } from '../merchants/authenticate.ts';
import { createDeliveryWork, type DeliveryWork } from '../messages/deliver-orders.ts';
import { countOpenDeliveries } from '../messages/delivery-store.ts';
import { readDeliverableOrder } from '../messages/read-order.ts';
import { type Messengers, setUpMessengers } from '../messages/set-up-messengers.ts';
import type { Provider } from '../providers/provider.ts';
import type { Headers } from '../providers/provider-definition.ts';
import { QrCodes } from '../qrcode/qr-codes.ts';
import { loadRoutes, type Routes } from '../routing/routes.ts';
import { countOpenAlarms, countPendingByAge } from '../vending/history/watch-store.ts';
import { openGoods } from '../vending/path/sealed-goods.ts';
import { startVending, type Vending } from '../vending/vending.ts';
import { createMtnBalances, type MtnBalances } from '../wallet/mtn-balance.ts';
import type { Config, Variables } from './config.ts';
import { type DemoCredentials, seedDemo } from './demo/seed-demo.ts';
import { publishSimulatorAddress } from './demo/simulator-address.ts';
import { startSimulatorProcess } from './demo/simulator-process.ts';
import { listJobs } from './jobs.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { prepareDatabase } from './prepare-database.ts';
import { createProviderFloats, type ProviderFloats } from './provider-floats.ts';
import type { Registries } from './registries.ts';
import { chooseBanks, chooseLineProviders, chooseProviders, openBanks, openProviders } from './upstreams.ts';

/** A statement this long is stuck: every one of ours takes milliseconds. */
const STATEMENT_MS = 30_000;

/** A running gateway, without its listeners. */
export type Context = AsyncDisposable & {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly authenticator: Authenticator;
  readonly vending: Vending;
  readonly funding: Funding;
  readonly mtnBalances: MtnBalances;
  readonly qrCodes: QrCodes;
  readonly metrics: Metrics;
  readonly jobs: Pick<RunningJobs, 'states' | 'late'>;
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
  /** Present in the demo profile. */
  readonly demo: { readonly credentials: DemoCredentials; readonly simulatorUrl: string } | undefined;
};

export async function createContext(
  config: Config,
  registries: Registries,
  variables: Variables,
  log: Logger,
): Promise<Context> {
  await using stack = new AsyncDisposableStack();
  const database = await startDatabase(config, log, stack);
  const { applied } = await prepareDatabase(database, registries.providers);
  if (applied.length > 0) log.info({ applied }, 'database migrated');
  const key = config.encryptionKey ?? (await readKeyFile(config.dataDir));
  const sealer = createSealer(key, config.oldEncryptionKeys);
  const pepper = await loadPepper(database, sealer);
  const demo =
    config.profile === 'demo'
      ? {
          credentials: await seedDemo(database, pepper, config.dataDir, registries.providers),
          simulatorUrl: await demoSimulator(config, registries, variables, log, stack),
        }
      : undefined;
  const chosen = chooseProviders(config, registries, demo?.simulatorUrl);
  const providers = await openProviders(chosen, stack);
  const callbackReaders = new Map(chosen.map(({ name, readCallback }) => [name, readCallback]));
  const metrics = createMetrics();
  const catalog = await loadCatalog(database);
  const routes = await loadRoutes(database);
  const authenticator = stack.use(createAuthenticator({ database, pepper }));
  await authenticator.ready;
  stack.use(reloadOnChange(database, catalog, routes, log));
  const houseAccounts = createHouseAccounts(database);
  const stopPoints = config.stopAt === undefined ? noStopPoints : dieAt(config.stopAt);
  const banks = await openBanks(chooseBanks(config, registries, demo?.simulatorUrl), database, stack);
  const funding = createFunding({
    database,
    providers: banks,
    liveProvider: config.fundingProvider ?? [...banks.values()].find(isLive)?.name,
    sealer,
    pepper,
    houseAccounts,
    clock: systemClock,
    newId,
    log,
    stopPoints,
  });
  const messengers = stack.use(
    setUpMessengers({
      smtp: config.smtp,
      termii: config.termii,
      demo: demo && {
        outboxFolder: join(config.dataDir, 'outbox'),
        simulatorUrl: demo.simulatorUrl,
      },
    }),
  );
  const vending = await startVending({
    database,
    catalog,
    routes,
    providers,
    houseAccounts,
    role: config.role,
    clock: systemClock,
    newId,
    log,
    stopPoints,
    syncDeadlineMs: config.syncDeadlineMs,
    orderWaitMs: config.orderWaitMs,
    liveChannels: messengers.liveChannels,
    sealer,
    pepper,
    events: metrics.vendingEvents,
  });
  stack.defer(() => vending.signOff());
  const qrCodes = stack.use(new QrCodes());
  const deliveries = createDeliveries({ database, sealer, messengers, metrics, log, stopPoints });
  const floats = createProviderFloats(providers);
  const { fundingSweepMs, drainMs, role } = config;
  const parts = { database, authenticator, vending, funding, deliveries, floats, fundingSweepMs, drainMs };
  const jobs = stack.use(startJobs(listJobs(parts), { role, clock: systemClock, log }));
  stack.defer(async () => {
    await Promise.all([jobs.stopWork(), vending.drain(drainMs)]);
  });
  watchGauges({ database, providers, vending, metrics, floats, jobs });
  const owned = stack.move();
  return {
    database,
    catalog,
    authenticator,
    vending,
    funding,
    mtnBalances: createMtnBalances({
      database,
      providers: chooseLineProviders(providers, demo !== undefined),
      clock: systemClock,
    }),
    qrCodes,
    metrics,
    jobs,
    providerCallback: async (provider, body, headers, raw) => {
      const readCallback = callbackReaders.get(provider);
      const callback = { body, headers, raw, receivedAt: systemClock.now() };
      const reference = readCallback?.(callback)?.reference;
      if (reference !== undefined) await vending.queryNow(provider, reference);
      return readCallback !== undefined;
    },
    demo,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function startDatabase(config: Config, log: Logger, stack: AsyncDisposableStack): Promise<Database> {
  let connectionString = config.databaseUrl;
  if (connectionString === undefined) {
    const server = await startEmbeddedServer({
      dataDir: config.dataDir,
      log: { info: (message) => log.info(message), warn: (message) => log.warn(message) },
    });
    stack.defer(() => server.stop());
    connectionString = server.connectionString;
  }
  return stack.use(
    openDatabase({
      connectionString,
      connectionsMax: config.databaseConnections,
      applicationName: `oja-${config.role}`,
      statementTimeoutMs: STATEMENT_MS,
      onPoolError: (error) => log.warn({ err: error }, 'a database connection broke'),
    }),
  );
}

function isLive({ environment }: { readonly environment: Environment }): boolean {
  return environment === 'live';
}

async function demoSimulator(
  config: Config,
  registries: Registries,
  variables: Variables,
  log: Logger,
  stack: AsyncDisposableStack,
): Promise<string> {
  const url = config.simulatorUrl ?? (await ownSimulator(config, registries, variables, log, stack));
  stack.use(await publishSimulatorAddress(config.dataDir, url));
  return url;
}

async function ownSimulator(
  config: Config,
  registries: Registries,
  variables: Variables,
  log: Logger,
  stack: AsyncDisposableStack,
): Promise<string> {
  const simulator = await startSimulatorProcess({
    port: config.simulatorPort,
    dir: join(config.dataDir, 'simulator'),
    hooksUrl: config.port === 0 ? undefined : `http://127.0.0.1:${config.port}/hooks`,
    callbackSettings: new Map(
      registries.providers.flatMap(({ name, simulated }) =>
        simulated?.callbackSetting === undefined ? [] : [[name, simulated.callbackSetting]],
      ),
    ),
    variables,
    onRestart: (why) => log.warn({ why }, 'the simulator stopped; starting it again'),
  });
  return stack.use(simulator).url;
}

function reloadOnChange(database: Database, catalog: Catalog, routes: Routes, log: Logger): AsyncDisposable {
  const reload = (what: { reload(): Promise<void> }): void => {
    what
      .reload()
      .catch((error: unknown) => log.error({ err: error }, 'cannot reload the catalog or the routes'));
  };
  return database.listen(changesChannel, {
    onNotice: (payload) => {
      if (payload === 'plans') reload(catalog);
      if (payload === 'routes') reload(routes);
    },
    // What changed while nobody listened is not known.
    onUp: () => {
      reload(catalog);
      reload(routes);
    },
    onDown: () => log.warn('the database connection that brings change notices is down'),
  });
}

type Deliveries = Pick<Context, 'database' | 'metrics'> & {
  readonly sealer: Sealer;
  readonly messengers: Messengers;
  readonly log: Logger;
  readonly stopPoints: StopPoints;
};

/** The sending of orders to customers. */
function createDeliveries({
  database,
  sealer,
  messengers,
  metrics,
  log,
  stopPoints,
}: Deliveries): DeliveryWork {
  const openSealed = (place: string, sealed: string): string | undefined => sealer.open(place, sealed);
  const reader = {
    sql: database,
    openGoods: (vend: { merchantId: number; vendId: string }) => openGoods(database, openSealed, vend),
  };
  return createDeliveryWork({
    sql: database,
    messengerOf: messengers.of,
    readOrder: (vend) => readDeliverableOrder(reader, vend),
    open: openSealed,
    clock: systemClock,
    log,
    stopPoints,
    onTried: (channel, state) => metrics.observeDelivery(channel, state),
  });
}

type Watched = Pick<Context, 'database' | 'vending' | 'metrics' | 'jobs'> & {
  readonly providers: ReadonlyMap<string, Provider & { breakerState?(): string }>;
  readonly floats: ProviderFloats;
};

function watchGauges({ database, providers, vending, metrics, floats, jobs }: Watched): void {
  metrics.watch({
    gauges: () => vending.gauges(),
    pendingByAge: () => countPendingByAge(database),
    openAlarms: () => countOpenAlarms(database),
    openDeliveries: () => countOpenDeliveries(database),
    providerFloats: () => floats.all(),
    breakers: () =>
      [...providers].flatMap(([provider, { breakerState }]) =>
        breakerState === undefined ? [] : [{ provider, state: breakerState() }],
      ),
    jobs: () => jobs.states(),
  });
}
