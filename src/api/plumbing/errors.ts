/**
 * Turns errors into answers with one body shape. Only the message of a refusal reaches the caller.
 * Any other error is answered with the request id and logged in full.
 */
import { errorCodes, type FastifyReply, type FastifyRequest } from 'fastify';
import { GatewayError } from '../../core/errors.ts';
import type { ServerDependencies } from '../dependencies.ts';
import { purchaseFieldNames } from './field-names.ts';
import type { Reason } from './reasons.ts';
import type { ReferenceLookup } from './reference-lookup.ts';
import { Refusal, refusalBody } from './refusal.ts';
import { refusalOf } from './refusal-of.ts';
import type { ErrorBody } from './refusals.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The requests of the route are look-ups, whatever their method. */
    looksUp?: true;
  }
}

/** Builds the body of every refusal, here and before a request exists that Fastify could answer. */
export function errorBody(status: number, message: string, reason: Reason): ErrorBody {
  return { status: 'error', code: status, reason, message };
}

/** Answers every error that is thrown while a request is served. */
export function createErrorHandler(
  { log, isDatabaseAway }: Pick<ServerDependencies, 'log' | 'isDatabaseAway'>,
  findReference: ReferenceLookup,
): (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (thrown, request, reply) => {
    const isCreate = request.routeOptions.config.creates !== undefined;
    // The core reports what was stored for a create whose caller is known. Errors that it does not
    // handle are unexpected.
    const isAway = (!isCreate || request.principal === undefined) && isDatabaseAway(thrown);
    const error = isAway ? new GatewayError({ code: 'database_away' }) : thrown;
    const refusal = toRefusal(error, request);
    if (refusal === undefined) {
      log.error({ err: error, reqId: request.id }, 'request failed');
      const unexpected = unexpectedRefusal(request.id, { isRead: looksUp(request) });
      request.refusalReason = unexpected.loggedReason;
      return send(reply, unexpected);
    }
    const told = isCreate ? await findReference(request, refusal, error) : refusal;
    request.purchaseReference = told.subject?.internal_reference;
    request.refusalReason = told.loggedReason;
    if (told.retryAfterS !== undefined) reply.header('retry-after', told.retryAfterS);
    return send(reply, told);
  };
}

/**
 * Sent as text, so that the answer does not depend on a schema of the route, which may be what
 * failed.
 */
function send(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const body = JSON.stringify(refusalBody(refusal));
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(body);
}

/** Returns the refusal for an unexpected error. The log has the error under the request's id. */
export function unexpectedRefusal(requestId: string, { isRead }: { readonly isRead: boolean }): Refusal {
  const advice = isRead
    ? 'Try again later.'
    : 'The purchase may exist. Query its status before you send it again.';
  return new Refusal(
    500,
    'unexpected_error',
    `Something went wrong on our side. ${advice} (request ${requestId})`,
  );
}

function toRefusal(error: unknown, request: FastifyRequest): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof GatewayError) {
    const names = request.routeOptions.config.fieldNames ?? purchaseFieldNames;
    return refusalOf(error.faults, names, { isRead: looksUp(request) });
  }
  // Refusals by Fastify of requests that it could not parse. One of our own errors that happens to
  // have a status must not tell a merchant that nothing was stored.
  if (error instanceof errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE) {
    return new Refusal(
      400,
      'content_type_malformed',
      'The Content-Type header is not valid. Send application/json.',
    );
  }
  if (isFastifyError(error, 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE')) {
    return new Refusal(
      400,
      'content_type_missing',
      'The Content-Type header is missing. Send application/json.',
    );
  }
  if (isFastifyError(error, 'FST_STATIC_FORBIDDEN_PATH')) {
    return new Refusal(404, 'path_unknown', 'The path does not exist. See /docs.');
  }
  return undefined;
}

/** Errors of plugins, or errors that Fastify does not export. */
function isFastifyError(error: unknown, code: string): boolean {
  return error instanceof Error && error.name === 'FastifyError' && Reflect.get(error, 'code') === code;
}

/** Whether the request is a look-up: it stores nothing that could be sent again. */
function looksUp(request: FastifyRequest): boolean {
  return isRead(request) || request.routeOptions.config.looksUp === true;
}

/** Whether the method makes the request a look-up. */
export function isRead({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}
