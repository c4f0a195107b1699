/**
 * The gateway process: it reads the settings, starts everything, and listens. On SIGTERM it stops
 * everything in the opposite order. Another program can call it with its own providers or banks.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../core/clock.ts';
import { createLog, type Logger } from '../core/log.ts';
import { type Config, DEFAULT_CORRECTION_LIMIT, loadConfig, testBanks, type Variables } from './config.ts';
import { connectionBounds } from './connection-bounds.ts';
import { startSimulator } from './demo/start-simulator.ts';
import { explainStart } from './explain-start.ts';
import { GatewayHealth } from './health/gateway-health.ts';
import { createMetrics } from './metrics.ts';
import { startMetricsServer } from './metrics-server.ts';
import { startDatabases } from './open-databases.ts';
import { openStorage } from './open-storage.ts';
import { type Registries, registriesOf } from './registries.ts';
import { readSettingFiles } from './setting-files.ts';
import { startTracing } from './tracing.ts';
import { findUnknownSettings } from './unknown-settings.ts';
import { version } from './version.ts';

/**
 * Runs a gateway until a signal stops it. If it cannot start, or cannot stop in order, it prints
 * the reason and also resolves. Without `registries` it has the built-in providers and banks.
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
      log.warn(unknown, 'this is not a setting of Oja, and has no effect');
    }
    if (!config.isCorrectionLimitChosen) {
      log.warn(
        { naira: DEFAULT_CORRECTION_LIMIT },
        'OJA_CORRECTION_LIMIT is not set: one person may give away this amount in a day; choose a limit',
      );
    }
    for (const bank of testBanks(config)) {
      log.warn({ bank }, 'its key is a test key: test money paid there is credited to live wallets');
    }
    await run(config, known, variables, log, () => {
      trouble = 'did not stop in order';
    });
  } catch (error) {
    const { code, message } = explainStart(error);
    process.stderr.write(`oja ${trouble} (${code}): ${message}\n`);
    process.exitCode = 1;
    // A part that has not started completely may keep the process running.
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
  let simulator: Promise<string> | undefined;
  const opening = startDatabases(config, log, stack, () => {
    if (config.profile === 'demo') simulator = startSimulator({ config, variables, log }, stack);
  });
  const loading = import('./serve.ts');
  const databases = await opening;
  const secrets = await openStorage(databases, config, registries, log);
  const { serve } = await loading;
  const opened = { databases, secrets, simulator, metrics, metricsServer, traceStep };
  await serve({ ...parts, ...opened, config, registries, variables, health });
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
