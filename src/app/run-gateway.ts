/**
 * The gateway process: it reads the settings, starts everything, and listens. On SIGTERM it stops
 * everything in the opposite order. Another program can call it with providers or banks of its own.
 */
import type { Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { areGuidesBuilt, guidesPath } from '../api/plumbing/register-guides.ts';
import { buildServer } from '../api/server.ts';
import { tryOverApi } from '../api/try-over-api.ts';
import { createMerchantCodeTries } from '../backoffice/users/merchant-code-tries.ts';
import { listUsers } from '../backoffice/users/user-store.ts';
import { systemClock } from '../core/clock.ts';
import { createLog, type Logger } from '../core/log.ts';
import type { TraceStep } from '../core/tracing.ts';
import { isConnectionLost, isUnavailable } from '../db/database-errors.ts';
import { createOwnWallets } from '../wallet/own-wallets.ts';
import { type Config, DEFAULT_CORRECTION_LIMIT, loadConfig, type Variables } from './config.ts';
import { connectionBounds, type ListenParts } from './connection-bounds.ts';
import { type Context, createContext } from './context.ts';
import { type History, startHistory } from './demo/history-process.ts';
import { makeDemoLinks } from './demo/seed-users.ts';
import { welcome } from './demo/welcome.ts';
import { explainStart } from './explain-start.ts';
import { GatewayHealth } from './health/gateway-health.ts';
import { listenForAdmin } from './listen-for-admin.ts';
import { audienceLines, listenForPeople } from './listen-for-people.ts';
import { createMetrics } from './metrics.ts';
import { startMetricsServer } from './metrics-server.ts';
import { type Registries, registriesOf } from './registries.ts';
import { readSettingFiles } from './setting-files.ts';
import { startTracing } from './tracing.ts';
import { findUnknownSettings } from './unknown-settings.ts';
import { version } from './version.ts';

/**
 * Runs a gateway until a signal stops it. Where it cannot start, or not stop in order, it prints
 * why, and resolves too. Without `registries` it has the providers and banks that Oja comes with.
 */
export async function runGateway(
  environment: Variables,
  registries: Partial<Registries> = {},
): Promise<void> {
  let trouble = 'cannot start';
  const variables = readSettingFiles(environment);
  try {
    const known = registriesOf(registries);
    const config = loadConfig(variables, known);
    const log = createLog(config.logLevel);
    for (const unknown of findUnknownSettings(variables, known)) {
      log.warn(unknown, 'this is no setting of Oja, and does nothing');
    }
    if (!config.isCorrectionLimitChosen) {
      log.warn(
        { naira: DEFAULT_CORRECTION_LIMIT },
        'OJA_CORRECTION_LIMIT is not set: one person may give away so much in a day; choose a limit',
      );
    }
    for (const { name, isTestAccount } of config.profile === 'demo' ? [] : config.banks.values()) {
      if (!isTestAccount) continue;
      log.warn({ bank: name }, 'its key is for tests: play money paid there is credited to live wallets');
    }
    await run(config, known, variables, log, () => {
      trouble = 'has not stopped in order';
    });
  } catch (error) {
    const { code, message } = explainStart(error);
    process.stderr.write(`oja ${trouble} (${code}): ${message}\n`);
    process.exitCode = 1;
    // Something that has started only in part may hold the process open.
    setTimeout(() => process.exit(1), 500).unref();
  }
}

async function run(
  config: Config,
  registries: Registries,
  variables: Variables,
  log: Logger,
  onStarted: () => void,
): Promise<void> {
  const stopped = stopSignal();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => new Promise<void>((resolve) => log.flush(() => resolve())));
  const metrics = createMetrics();
  const health = new GatewayHealth(systemClock);
  metrics.watchHealth(() => health.report());
  const bound = connectionBounds(config, metrics.registry, log);
  const parts = { log, stack, bound };
  const metricsServer = await startMetricsServer(
    { registry: metrics.registry, health, version: version() },
    { host: config.metricsHost, port: config.metricsPort, bound },
  );
  stack.defer(() => {
    metricsServer.close();
    metricsServer.closeAllConnections();
  });
  const tracing =
    config.tracingUrl === undefined
      ? undefined
      : stack.use(await startTracing(config.tracingUrl, { role: config.role, version: version() }));
  const { traceStep } = tracing ?? {};
  const state = { metrics, isStopping: () => health.isStopping, traceStep };
  const context = stack.use(await createContext(config, registries, variables, log, state));
  if (config.role === 'worker') {
    health.watch(context.healthSources);
    process.stdout.write('oja worker ready\n');
  } else {
    let history: History | undefined;
    const countsInstead = (agent?: string): boolean => history?.countRequest(agent) ?? false;
    const url = await listen(config, context, { health, traceStep, countsInstead }, parts);
    const services = { ...context.services, ...tryOverApi(url, config.syncDeadlineMs) };
    const adminUrl = await listenForAdmin(config, services, version(), parts);
    const audienceUrls = await listenForPeople(config, services, parts);
    health.watch(context.healthSources);
    process.stdout.write(`oja ${version()} listening on ${url}\n`);
    if (context.demo === undefined) {
      const users = await listUsers(context.databases.work, { merchantId: null, after: undefined, limit: 1 });
      process.stdout.write(audienceLines(audienceUrls));
      if (users.length === 0) process.stdout.write(firstUser);
    } else {
      const { merchant } = context.demo.credentials;
      const links = await makeDemoLinks(context.databases.work, merchant, audienceUrls);
      const settings = {
        ...config,
        metricsPort: portOf(metricsServer) ?? config.metricsPort,
        areGuidesBuilt: areGuidesBuilt(builtGuides),
      };
      process.stdout.write(welcome(url, settings, context.demo, audienceLines(audienceUrls, links)));
    }
    if (adminUrl !== undefined) process.stdout.write(`oja admin API on ${adminUrl}\n`);
    if (context.demo !== undefined && config.demoHistory === 'small') {
      const { simulatorUrl } = context.demo;
      history = stack.use(startHistory({ url, simulatorUrl, dataDir: config.dataDir, variables, log }));
    }
  }
  onStarted();
  const signal = await stopped;
  health.stop();
  if (config.stopGraceMs > 0 && config.role !== 'worker') {
    log.info(
      { signal, graceMs: config.stopGraceMs },
      'stopping soon: not ready for load balancers from now on',
    );
    await sleep(config.stopGraceMs);
  }
  log.info({ signal }, 'stopping: no new work, finishing what runs');
}

type ListenState = {
  readonly health: GatewayHealth;
  readonly traceStep: TraceStep | undefined;
  readonly countsInstead: (userAgent?: string) => boolean;
};

/** Printed until the team has a user. */
const firstUser =
  '  First user      oja user invite you@example.com --roles admin --link   (prints a link that signs you in)\n';

/** The documentation site, where it was built. */
const builtGuides = join(import.meta.dirname, '..', '..', 'site', 'dist');

async function listen(
  config: Config,
  context: Context,
  { health, traceStep, countsInstead }: ListenState,
  { log, stack, bound }: ListenParts,
): Promise<string> {
  const { databases, events } = context;
  // The demo says how to build them where they are not.
  const guides = areGuidesBuilt(builtGuides) || config.profile === 'demo' ? builtGuides : undefined;
  const server = await buildServer({
    ...context,
    merchantCodeTries: createMerchantCodeTries(databases.work, systemClock),
    wallets: createOwnWallets(databases.readsOf, systemClock),
    isDatabaseAway: (error) => isUnavailable(error) || isConnectionLost(error),
    health: () => health.report(),
    rateLimit: { perS: config.rateLimitPerS, burst: 2 * config.rateLimitPerS },
    version: version(),
    docsUrl: config.docsUrl ?? (guides === undefined ? undefined : guidesPath),
    guides,
    allowedOrigins: config.corsOrigins,
    limits: config.trustedProxies.length > 0 ? { trustProxy: config.trustedProxies.join(',') } : {},
    // The lines of requests have fixed fields, none of them secret. To search each line for secrets
    // would cost a tenth of a request.
    log: log.child({}, { redact: [] }),
    countsInstead,
    observeRequest: (route, status, latencyMs, purchaseId) => {
      context.metrics.observeRequest(route, status, latencyMs);
      if (purchaseId === undefined || traceStep === undefined) return;
      traceStep({
        name: 'request',
        purchaseId,
        tookMs: latencyMs,
        facts: { 'http.route': route, 'http.status': status },
      });
    },
  });
  bound('api', server.server);
  stack.defer(() => server.close());
  // Questions that wait for events are answered at once, and hold up no stop.
  stack.defer(() => events.close());
  // Fastify would open a second server for the second address of localhost, without the handlers
  // of the first.
  const host = config.host === 'localhost' ? '127.0.0.1' : config.host;
  await server.listen({ host, port: config.port });
  const port = portOf(server.server) ?? config.port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The port a listener got, where the settings left it open. */
function portOf(listener: Server): number | undefined {
  const address = listener.address();
  return typeof address === 'object' ? address?.port : undefined;
}

/** The first SIGTERM or SIGINT; a second one ends the process at once. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        resolve(signal);
        process.once(signal, () => process.exit(1));
      });
    }
  });
}
