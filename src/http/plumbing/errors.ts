/**
 * From what went wrong to what the caller is told: one table from GatewayError codes to HTTP
 * statuses, one body shape for every refusal. Guarantees that nothing but a GatewayError's own
 * words reaches a caller: any other error is answered with the request id and logged whole.
 */
import { errorCodes, type FastifyReply, type FastifyRequest } from 'fastify';
import { GatewayError, type GatewayErrorCode } from '../../kernel/errors.ts';
import type { RequestLog } from '../dependencies.ts';
import type { ErrorBody } from './refusals.ts';

const statusOf: Readonly<Record<GatewayErrorCode, number>> = {
  invalid: 400,
  missing: 422,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  duplicate: 422,
  rate_limited: 429,
  overloaded: 503,
  no_route: 503,
  upstream_unavailable: 502,
  unsettled: 500,
};

const RETRY_AFTER_S = 1;

/** The body of every refusal, here and where there is no request yet to answer through Fastify. */
export function errorBody(status: number, message: string): ErrorBody {
  return { status: 'error', code: status, message };
}

/** Answers for everything thrown while a request is served. */
export function createErrorHandler(
  log: RequestLog,
): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  return (error, request, reply) => {
    const refusal = toGatewayError(error);
    if (refusal === undefined) {
      log.error({ err: error, reqId: request.id }, 'request failed');
      const message = `Something went wrong on our side: query the status before you send a purchase again (request ${request.id})`;
      send(reply, 500, errorBody(500, message));
      return;
    }
    request.vendReference = referenceIn(refusal);
    const status = statusOf[refusal.code];
    const retryAfterS = refusal.retryAfterS ?? (refusal.code === 'overloaded' ? RETRY_AFTER_S : undefined);
    if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS);
    const body = {
      ...errorBody(status, refusal.message),
      ...(refusal.faults.length > 0 ? { errors: refusal.faults } : {}),
    };
    // The body's own members come first and cannot be replaced.
    send(reply, status, { ...body, ...refusal.detail, ...body });
  };
}

/** Sent as text: the answer must not depend on a schema of the route, which may be what failed. */
function send(reply: FastifyReply, status: number, body: object): void {
  reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

function toGatewayError(error: unknown): GatewayError | undefined {
  if (error instanceof GatewayError) return error;
  // Fastify's own refusals of a request it could not take apart. Only those: an error of ours that
  // happens to carry a status must not tell a merchant that nothing was stored.
  if (error instanceof errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE) {
    return new GatewayError('invalid', 'The Content-Type header is not valid: send application/json');
  }
  return undefined;
}

function referenceIn(refusal: GatewayError): string | undefined {
  const data = refusal.detail.data;
  if (typeof data !== 'object' || data === null || !('internal_reference' in data)) return undefined;
  return typeof data.internal_reference === 'string' ? data.internal_reference : undefined;
}
