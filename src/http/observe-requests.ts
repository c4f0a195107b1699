// One log line and one measurement for each answered request. Guarantees that no body, header, query or secret is in
// either: they name the route's pattern, never the path.
import type { FastifyInstance } from 'fastify';
import type { ServerDependencies } from './dependencies.ts';

export function observeRequests(
  app: FastifyInstance,
  { log, observeRequest }: Pick<ServerDependencies, 'log' | 'observeRequest'>,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched';
    const ms = reply.elapsedTime;
    observeRequest?.(route, reply.statusCode, ms);
    log.info(
      {
        reqId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(ms * 10) / 10,
        merchant: request.caller?.merchant.code,
        vend: request.vendReference,
      },
      'request',
    );
    done();
  });
}
