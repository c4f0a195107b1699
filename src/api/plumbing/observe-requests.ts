/**
 * Writes one log line and one measurement for each request, whether it was answered or its client
 * disconnected. The line of a refusal also has the caller and the reason. A caller that is refused
 * many times a second gets a few lines and a count. Guarantees that no line has a body, header,
 * query or secret: it has the pattern of the route instead of the path, and the key id of the
 * credential.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BoundedLines } from '../../core/bounded-lines.ts';
import { isKeyId } from '../../merchants/credential-secret.ts';
import type { ServerDependencies } from '../dependencies.ts';

/** The status of a request whose client disconnected before the answer. It is never sent. */
const CLIENT_CLOSED = 499;
const UNEXPECTED = 500;

/** Called with a request when it arrives. Returns a function that is called when it ends. */
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
        // An unauthenticated caller is identified by its address only.
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
    // Any other text may be a secret in the wrong place.
    key: typeof key === 'string' && isKeyId(key) ? key : undefined,
    address: request.ip,
  };
}
