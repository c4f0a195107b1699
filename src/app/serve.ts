/**
 * Constructs the context of a gateway process and listens, once its database is open. A separate
 * module, so that most modules load while the database starts.
 */
import type { Server } from 'node:http';
import { join } from 'node:path';
import { areGuidesBuilt, guidesPath } from '../api/plumbing/register-guides.ts';
import { buildServer } from '../api/server.ts';
import { tryOverApi } from '../api/try-over-api.ts';
import { createMerchantCodeTries } from '../backoffice/users/merchant-code-tries.ts';
import { listUsers } from '../backoffice/users/user-store.ts';
import { systemClock } from '../core/clock.ts';
import type { TraceStep } from '../core/tracing.ts';
import { isConnectionLost, isUnavailable } from '../db/database-errors.ts';
import { createOwnWallets } from '../wallet/own-wallets.ts';
import type { Config, Variables } from './config.ts';
import type { ListenParts } from './connection-bounds.ts';
import { type Context, createContext, type ProcessParts } from './context.ts';
import { type History, startHistory } from './demo/history-process.ts';
import { makeDemoLinks } from './demo/seed-users.ts';
import { welcome } from './demo/welcome.ts';
import type { GatewayHealth } from './health/gateway-health.ts';
import { audienceLines, listenForAdmin, listenForPeople } from './listen-for-people.ts';
import type { Registries } from './registries.ts';
import { shrinkYoungHeap } from './shrink-young-heap.ts';
import { version } from './version.ts';

type ServeParts = ListenParts &
  Omit<ProcessParts, 'isStopping'> & {
    readonly config: Config;
    readonly registries: Registries;
    readonly variables: Variables;
    readonly health: GatewayHealth;
    readonly metricsServer: Server;
  };

/**
 * Resolves when the process serves requests and has printed its addresses. `stack` of the parts
 * ends it.
 */
export async function serve({ config, registries, variables, ...parts }: ServeParts): Promise<void> {
  const { health, traceStep, metricsServer, log, stack } = parts;
  const state = { ...parts, isStopping: () => health.isStopping };
  const context = stack.use(await createContext(config, registries, variables, log, state));
  if (config.role === 'worker') {
    shrinkYoungHeap();
    health.watch(context.healthSources);
    process.stdout.write('oja worker ready\n');
    return;
  }
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
  // The demo prints how to build the missing pages.
  const guides = areGuidesBuilt(builtGuides) || config.profile === 'demo' ? builtGuides : undefined;
  const server = await buildServer({
    ...context,
    merchantCodeTries: createMerchantCodeTries(databases.work, systemClock),
    wallets: createOwnWallets(databases.readsOf, systemClock),
    isDatabaseAway: (error) => isUnavailable(error) || isConnectionLost(error),
    health: () => health.report(),
    rateLimit: { perS: config.rateLimitPerS, burst: 2 * config.rateLimitPerS },
    version: version(),
    docsUrl: guides === undefined ? undefined : guidesPath,
    guides,
    allowedOrigins: config.corsOrigins,
    limits: config.trustedProxies.length > 0 ? { trustProxy: config.trustedProxies.join(',') } : {},
    // The log lines of requests have fixed fields without secrets. Searching each line for secrets
    // would take a tenth of a request's time.
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
  // Waiting long-poll requests are answered at once, so they do not delay a shutdown.
  stack.defer(() => events.close());
  // Fastify would open a second server for the second address of localhost, without the handlers of
  // the first.
  const host = config.host === 'localhost' ? '127.0.0.1' : config.host;
  // The routes are compiled by then.
  await server.ready();
  shrinkYoungHeap();
  await server.listen({ host, port: config.port });
  const port = portOf(server.server) ?? config.port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The actual port of a listener, if the settings let the system choose it. */
function portOf(listener: Server): number | undefined {
  const address = listener.address();
  return typeof address === 'object' ? address?.port : undefined;
}
