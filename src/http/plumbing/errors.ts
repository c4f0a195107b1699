/**
 * From what went wrong to what the caller is told: one body shape for every refusal. Guarantees
 * that nothing but a refusal's words reaches a caller: any other error is answered with the request
 * id and logged whole.
 */
import { errorCodes, type FastifyReply, type FastifyRequest } from 'fastify';
import { GatewayError } from '../../kernel/errors.ts';
import type { RequestLog } from '../dependencies.ts';
import { purchaseFieldNames, wordFaults } from './fault-words.ts';
import type { ReferenceLookup } from './reference-lookup.ts';
import { Refusal } from './refusal.ts';
import type { ErrorBody } from './refusals.ts';

/** The body of every refusal, here and where there is no request yet to answer through Fastify. */
export function errorBody(status: number, message: string): ErrorBody {
  return { status: 'error', code: status, message };
}

/** Answers for everything thrown while a request is served. */
export function createErrorHandler(
  log: RequestLog,
  findReference: ReferenceLookup,
): (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (error, request, reply) => {
    const refusal = toRefusal(error, request);
    if (refusal === undefined) {
      log.error({ err: error, reqId: request.id }, 'request failed');
      const advice = isRead(request)
        ? 'try again a little later'
        : 'query the status before you send a purchase again';
      const message = `Something went wrong on our side: ${advice} (request ${request.id})`;
      return send(reply, 500, errorBody(500, message));
    }
    const isCreate = request.routeOptions.config.creates === true;
    const told = isCreate ? await findReference(request, refusal, error) : refusal;
    const { status, message, fields, subject, retryAfterS } = told;
    request.vendReference = subject?.internal_reference;
    if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS);
    return send(reply, status, {
      ...errorBody(status, message),
      ...(fields.length > 0 && { errors: fields }),
      ...(subject !== undefined && { data: subject }),
    });
  };
}

/** Sent as text: the answer must not depend on a schema of the route, which may be what failed. */
function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

function toRefusal(error: unknown, request: FastifyRequest): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof GatewayError) {
    const names = request.routeOptions.config.fieldNames ?? purchaseFieldNames;
    return wordFaults(error.faults, names, { isRead: isRead(request) });
  }
  // Fastify's own refusals of a request it could not take apart. Only those: an error of ours that
  // happens to carry a status must not tell a merchant that nothing was stored.
  if (error instanceof errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE) {
    return new Refusal(400, 'The Content-Type header is not valid: send application/json');
  }
  return undefined;
}

/** Whether the request looks something up. */
export function isRead({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}
