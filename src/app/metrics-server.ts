/**
 * Serves `/metrics`, `/healthz` and `/readyz` on a separate port, so that metrics are not exposed
 * with the API by accident. It listens from before everything else starts until everything else has
 * stopped, in a process of every role.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import type { BoundListener } from './connection-bounds.ts';
import type { GatewayHealth, HealthReport } from './health/gateway-health.ts';

type Sources = {
  readonly registry: Registry;
  readonly health: Pick<GatewayHealth, 'report'>;
  readonly version: string;
};

/** Slow or lost clients are disconnected. There are few clients. */
const times = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 5_000 };
const SILENT_MS = 30_000;

export async function startMetricsServer(
  sources: Sources,
  { host, port, bound }: { readonly host: string; readonly port: number; readonly bound: BoundListener },
): Promise<Server> {
  const server = createServer(times, (request, response) => {
    // A slow client must not delay a shutdown.
    response.setHeader('connection', 'close');
    const answer = request.method === 'GET' ? answers[request.url?.split('?', 1)[0] ?? ''] : undefined;
    if (answer === undefined) {
      response.writeHead(404).end();
      return;
    }
    answer(sources, response).catch(() => response.writeHead(500).end());
  });
  server.setTimeout(SILENT_MS);
  bound('metrics', server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

const answers: Readonly<Record<string, (sources: Sources, response: ServerResponse) => Promise<void>>> = {
  '/metrics': async ({ registry }, response) => {
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  },
  '/healthz': async (sources, response) => {
    send(sources, response, (await sources.health.report()).health);
  },
  '/readyz': async (sources, response) => {
    send(sources, response, (await sources.health.report()).readiness);
  },
};

/** The same body as the API's. */
function send({ version }: Sources, response: ServerResponse, { ok, checks }: HealthReport): void {
  const body = { status: ok ? 'ok' : 'error', version, uptime_s: Math.floor(process.uptime()), checks };
  response
    .writeHead(ok ? 200 : 503, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
    .end(JSON.stringify(body));
}
