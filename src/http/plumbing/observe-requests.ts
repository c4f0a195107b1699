/**
 * One log line and one measurement for each request, answered or given up by its client. Guarantees
 * that no body, header, query or secret is in either: they name the route's pattern, never the
 * path.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerDependencies } from '../dependencies.ts';

/** The status noted when the client went away before the answer: nobody is sent it. */
const CLIENT_CLOSED = 499;

/** To be called with a request as soon as there is one. */
export type RequestObserver = (request: FastifyRequest, reply: FastifyReply) => void;

export function createRequestObserver({
  log,
  observeRequest,
}: Pick<ServerDependencies, 'log' | 'observeRequest'>): RequestObserver {
  return (request, reply) => {
    const startedAt = performance.now();
    reply.raw.once('close', () => {
      const ms = performance.now() - startedAt;
      const route = request.routeOptions.url ?? 'unmatched';
      const status = reply.raw.writableEnded ? reply.statusCode : CLIENT_CLOSED;
      observeRequest?.(route, status, ms);
      log.info(
        {
          reqId: request.id,
          method: request.method,
          route,
          status,
          ms: Math.round(ms * 10) / 10,
          merchant: request.principal?.merchant.code,
          vend: request.vendReference,
        },
        'request',
      );
    });
  };
}
