/**
 * One log line and one measurement for each request, answered or given up by its client. The line
 * of a refusal also says who was refused and why; a caller that is refused many times a second gets
 * a few lines and a count. Guarantees that no body, header, query or secret is in a line: it names
 * the route's pattern, never the path, and of a credential the key id alone.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BoundedLines } from '../../core/bounded-lines.ts';
import { isKeyId } from '../../merchants/credential-secret.ts';
import type { ServerDependencies } from '../dependencies.ts';

/** The status noted when the client went away before the answer: nobody is sent it. */
const CLIENT_CLOSED = 499;
const UNEXPECTED = 500;

/** Called with a request as soon as there is one. Returns what is to be called at its end. */
export type RequestObserver = (request: FastifyRequest, reply: FastifyReply) => () => void;

export function createRequestObserver({
  log,
  observeRequest,
  countsInstead,
}: Pick<ServerDependencies, 'log' | 'observeRequest' | 'countsInstead'>): RequestObserver {
  const refusals = new BoundedLines((caller, reason, count) =>
    log.info({ caller, reason, count }, 'more requests refused'),
  );
  return (request, reply) => {
    const startedAt = performance.now();
    return () => {
      const ms = performance.now() - startedAt;
      const route = request.routeOptions.url ?? 'unmatched';
      const status = reply.raw.writableEnded ? reply.statusCode : CLIENT_CLOSED;
      observeRequest?.(route, status, ms, request.purchaseReference);
      const refused = status >= 400 && status !== CLIENT_CLOSED ? refusedFields(request, status) : undefined;
      if (refused !== undefined && status !== UNEXPECTED) {
        // An unauthenticated caller is known only by its address.
        const caller = request.principal === undefined ? refused.address : (refused.key ?? refused.address);
        if (!refusals.admit(caller, refused.reason)) return;
      }
      if (refused === undefined && countsInstead?.(request.headers['user-agent'])) return;
      log.info(
        {
          reqId: request.id,
          method: request.method,
          route,
          status,
          ms: Math.round(ms * 10) / 10,
          merchant: request.principal?.merchant.code,
          purchase: request.purchaseReference,
          ...refused,
        },
        'request',
      );
    };
  };
}

type Refused = { readonly reason: string; readonly key: string | undefined; readonly address: string };

function refusedFields(request: FastifyRequest, status: number): Refused {
  const key = request.headers['x-merchant-key'];
  return {
    reason: request.refusalReason ?? `status_${status}`,
    // Anything else may be a secret in the wrong place.
    key: typeof key === 'string' && isKeyId(key) ? key : undefined,
    address: request.ip,
  };
}
