/**
 * The gateway process: it reads the settings, starts everything, and listens. On SIGTERM it stops
 * everything in the opposite order. Another program can call it with providers or banks of its own.
 */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { answerSoon } from '../db/answer-soon.ts';
import type { Queries } from '../db/database.ts';
import { deniedState, isConnectionLost, isUnavailable, reasonOf, sqlState } from '../db/database-errors.ts';
import { EmbeddedServerError } from '../db/embedded-server.ts';
import { MigrationError } from '../db/migration-error.ts';
import { answers } from '../db/ping.ts';
import { tellUnavailable } from '../db/tell-unavailable.ts';
import { buildServer } from '../http/server.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLog, type Logger } from '../kernel/log.ts';
import type { Principal } from '../merchants/merchant.ts';
import { walletBalance } from '../wallet/balance.ts';
import { statementFile, statementPage } from '../wallet/own-statement.ts';
import { type Config, ConfigError, loadConfig, type Variables } from './config.ts';
import { type Context, createContext } from './context.ts';
import { welcome } from './demo/welcome.ts';
import { listenForAdmin } from './listen-for-admin.ts';
import { addressesOf, listenOn } from './listen-on.ts';
import { startMetricsServer } from './metrics-server.ts';
import { type Registries, registriesOf } from './registries.ts';

/**
 * Runs a gateway until a signal stops it. Where it cannot start, it prints why, and resolves too.
 * Without `registries` it has the providers and banks that Oja comes with.
 */
export async function runGateway(variables: Variables, registries: Partial<Registries> = {}): Promise<void> {
  try {
    const known = registriesOf(registries);
    const config = loadConfig(variables, known);
    await run(config, known, variables, createLog(config.logLevel));
  } catch (error) {
    process.stderr.write(`oja cannot start: ${explain(error)}\n`);
    process.exitCode = 1;
    // Something that has started only in part may hold the process open.
    setTimeout(() => process.exit(1), 500).unref();
  }
}

/**
 * A fault that the operator can mend is explained in words. Any other fault is ours, and is printed
 * with its stack.
 */
function explain(error: unknown): string {
  if (error instanceof EmbeddedServerError || error instanceof MigrationError) {
    return error.message;
  }
  if (isUnavailable(error) || isConnectionLost(error)) {
    return `the database of DATABASE_URL does not answer: ${reasonOf(error)}`;
  }
  if (sqlState(error) === deniedState) {
    return `${reasonOf(error)}: the user of DATABASE_URL must own Oja's tables`;
  }
  return error instanceof Error && !(error instanceof ConfigError)
    ? (error.stack ?? error.message)
    : String(error);
}

async function run(config: Config, registries: Registries, variables: Variables, log: Logger): Promise<void> {
  const stopped = stopSignal();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => new Promise<void>((resolve) => log.flush(() => resolve())));
  const context = stack.use(await createContext(config, registries, variables, log));
  const metricsServer = await startMetricsServer(
    context.metrics.registry,
    config.metricsHost,
    config.metricsPort,
  );
  stack.defer(() => void metricsServer.close());
  if (config.role === 'worker') {
    process.stdout.write('oja worker ready\n');
  } else {
    const url = await listen(config, context, log, stack);
    process.stdout.write(`oja ${version()} listening on ${url}\n`);
    if (context.demo !== undefined) {
      const settings = { ...config, metricsPort: portOf(metricsServer) ?? config.metricsPort };
      process.stdout.write(welcome(url, settings, context.demo));
    }
    const adminUrl = await listenForAdmin(config, context.services, version(), log, stack);
    if (adminUrl !== undefined) process.stdout.write(`oja admin API on ${adminUrl}\n`);
  }
  const signal = await stopped;
  log.info({ signal }, 'stopping: no new work, finishing what runs');
}

async function listen(
  config: Config,
  context: Context,
  log: Logger,
  stack: AsyncDisposableStack,
): Promise<string> {
  const { databases, vending, funding, authenticator, catalog } = context;
  const readsOf = ({ merchant }: Principal): Queries => databases.readsOf(merchant.id);
  const server = await buildServer({
    authenticate: (keyId, secret, ip) => authenticator.authenticate(keyId, secret, ip).catch(tellUnavailable),
    merchantExists: (code) => authenticator.merchantExists(code).catch(tellUnavailable),
    vending: {
      // Vending itself knows what was stored when the database fails.
      vend: (request, mode) => vending.vend(request, mode),
      // A verification stores nothing and needs no database.
      verifyBillCustomer: (request) => vending.verifyBillCustomer(request),
      order: (request) => vending.order(request),
      askOrder: (principal, product, reference) =>
        vending.askOrder(principal, product, reference).catch(tellUnavailable),
      findVend: (principal, reference) => vending.findVend(principal, reference).catch(tellUnavailable),
      findFirstUse: (principal, reference) =>
        vending.findFirstUse(principal, reference).catch(tellUnavailable),
      listVends: (principal, filter) => vending.listVends(principal, filter).catch(tellUnavailable),
    },
    plans: (network) => catalog.listDataPlans(network),
    bills: catalog,
    goods: catalog,
    requireOrders: (principal, product) => vending.requireOrders(principal, product),
    drawQrCode: ({ merchant, environment }, text) =>
      context.qrCodes.draw({ merchantId: merchant.id, environment }, text),
    checkAvailability: (query) => vending.checkAvailability(query),
    balance: async (principal, currency) => {
      const account = principal.merchant.wallets.get(currency);
      return account === undefined
        ? undefined
        : await walletBalance(readsOf(principal), account).catch(tellUnavailable);
    },
    statement: {
      page: (principal, currency, period, page) =>
        statementPage(readsOf(principal), principal, currency, period, page, systemClock).catch(
          tellUnavailable,
        ),
      csv: (principal, currency, period) =>
        statementFile(readsOf(principal), principal, currency, period, systemClock).catch(tellUnavailable),
    },
    mtnBalances: ({ merchant, environment }) =>
      context.mtnBalances.find({ merchantId: merchant.id, environment }).catch(tellUnavailable),
    funding: {
      openAccount: (principal, registration) =>
        funding.openAccount(principal, registration).catch(tellUnavailable),
      findAccount: (principal, currency) =>
        answerSoon(funding.findAccount(principal, currency)).catch(tellUnavailable),
      hasDocument: (principal) => funding.hasDocument(principal).catch(tellUnavailable),
    },
    events: {
      poll: (principal, question) => context.events.poll(principal, question).catch(tellUnavailable),
    },
    webhooks: context.webhooks,
    providerCallback: context.providerCallback,
    bankNotice: (provider, bytes, headers) =>
      funding.takeNotice(provider, bytes, headers).catch(tellUnavailable),
    health: async () => ({ database: (await answers(databases.money)) ? 'ok' : 'down' }),
    lateJobs: () => context.jobs.late(),
    rateLimit: { perS: config.rateLimitPerS, burst: 2 * config.rateLimitPerS },
    version: version(),
    allowedOrigins: config.corsOrigins,
    limits: config.trustedProxies.length > 0 ? { trustProxy: config.trustedProxies.join(',') } : {},
    // The lines of requests have fixed fields, none of them secret. To search each line for secrets
    // would cost a tenth of a request.
    log: log.child({}, { redact: [] }),
    observeRequest: (route, status, latencyMs) => context.metrics.observeRequest(route, status, latencyMs),
  });
  stack.defer(() => server.close());
  // Questions that wait for events are answered at once, and hold up no stop.
  stack.defer(() => context.events.close());
  const port = await listenOn(server, await addressesOf(config.host), config.port, log);
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
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

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}
