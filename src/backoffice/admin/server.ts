/**
 * The admin API: every operation under `/admin/v1`, on a listener of its own. It authenticates by
 * personal access token and shapes; it holds no rule. Guarantees one error body for every refusal,
 * and one log line for every call.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, {
  errorCodes,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { takePipelineTurn } from '../../api/edge/bound-pipelining.ts';
import { privateTimes } from '../../api/edge/private-times.ts';
import { createRawRefusals, refuseRaw } from '../../api/edge/raw-refusals.ts';
import { BodyError, type BodyFault, drainRefused, readJsonBody } from '../../api/edge/read-json-body.ts';
import { sentRequestId } from '../../api/edge/request-id.ts';
import { BoundedLines } from '../../core/bounded-lines.ts';
import { GatewayError, OperationError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { fieldErrorsOf } from '../../core/operation-errors.ts';
import { isLockTrouble, isUnavailable } from '../../db/database-errors.ts';
import type { TokenOwner } from '../access/find-operator.ts';
import { answerOf } from '../operations/answer-of.ts';
import { takeFileTurn } from '../operations/file-bodies.ts';
import { operations } from '../operations/registry.ts';
import { type RegisteredOperation, requireRole, runOperation } from '../operations/run-operation.ts';
import type { Services } from '../operations/services.ts';
import { describeAdminApi } from './describe-admin-api.ts';
import { readCall } from './read-call.ts';

export type AdminDependencies = {
  readonly services: Services;
  /** Undefined for a token that may not be used. */
  readonly findOperator: (token: string) => Promise<TokenOwner | undefined>;
  readonly version: string;
  readonly log: Pick<Logger, 'info' | 'error'>;
};

export const adminRoot = '/admin/v1';

/** A server that is ready to listen, or to be injected into. */
export async function buildAdminServer(dependencies: AdminDependencies): Promise<FastifyInstance> {
  const app = Fastify({
    logController: new LogController({ disableRequestLogging: true }),
    ...privateTimes,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // A path that cannot be decoded, or is too long, never gets to a route or its hooks.
    frameworkErrors: (_error, request, reply) => {
      reply.header('x-request-id', request.id).header('cache-control', 'no-store');
      (reply as FastifyReply)
        .code(400)
        .send(errorBody(400, 'The path is not a valid URL path', 'path_malformed'));
    },
    clientErrorHandler: rawRefusals.answerClientError,
    genReqId: ({ headers }) => sentRequestId(headers) ?? randomUUID(),
  });
  refuseRaw(app.server, rawRefusals);
  readBodies(app);
  answerErrors(app, dependencies);
  app.addHook('onRequest', (request, reply, done) =>
    takePipelineTurn(request.raw, reply.raw, () => void done()),
  );
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    done();
  });
  logCalls(app, dependencies.log);
  app.decorateRequest('operator', undefined);
  app.decorateRequest('refusedFor', undefined);
  app.get(`${adminRoot}/openapi.json`, () => describeAdminApi(operations, dependencies.version));
  await app.register((scope, _options, done) => {
    scope.addHook('onRequest', async (request) => {
      request.operator = await authenticate(request, dependencies);
    });
    for (const operation of operations) serve(scope, operation, dependencies.services);
    done();
  });
  await app.ready();
  return app;
}

/** JSON, whatever its sender calls it; no body is an empty object. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    readJsonBody(payload, request.routeOptions.config.bodyBytesMax),
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    operator: TokenOwner | undefined;
    /** The code of what refused it, for the log. */
    refusedFor: string | undefined;
  }

  interface FastifyContextConfig {
    /** The name of the operation that the route runs. */
    operation?: string;
    /** The most bytes of a body. Absent: 64 KiB. */
    bodyBytesMax?: number;
  }
}

/** A refusal in the words of this edge. */
class AdminRefusal extends Error {
  readonly status: number;
  readonly reason: string;
  readonly retryAfterS: number | undefined;

  constructor(status: number, message: string, reason: string, retryAfterS?: number) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.retryAfterS = retryAfterS;
  }
}

async function authenticate(
  { headers }: FastifyRequest,
  { findOperator }: Pick<AdminDependencies, 'findOperator'>,
): Promise<TokenOwner> {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (token === undefined) {
    throw new AdminRefusal(
      401,
      'Send a personal access token: "Authorization: Bearer oja_pat_…"',
      'token_missing',
    );
  }
  const operator = await findOperator(token);
  if (operator === undefined) {
    throw new AdminRefusal(401, 'The token is not known, has expired, or was revoked', 'token_wrong');
  }
  return operator;
}

function serve(app: FastifyInstance, operation: RegisteredOperation, services: Services): void {
  const [method = 'GET', path = ''] = operation.route.split(' ');
  app.route({
    method,
    url: `${adminRoot}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    config: {
      operation: operation.name,
      ...(operation.bodyBytesMax !== undefined && { bodyBytesMax: operation.bodyBytesMax }),
    },
    // Before the body is read: who may not run it must not make the process work for it.
    onRequest: async (request, reply) => {
      const operator = operatorOf(request);
      requireRole(operation, operator);
      if (operation.bodyBytesMax === undefined) return;
      const { name, principal } = operator;
      if (await takeFileTurn({ pool: 'admin', group: name, member: principal }, reply)) return;
      throw new AdminRefusal(503, 'Too many uploads at once. Try again shortly.', 'uploads_full', 1);
    },
    handler: async (request, reply) => {
      const operator = operatorOf(request);
      const ran = await runOperation(services, operation, readCall(operation, request), operator);
      // It is not done: a second person must approve it.
      if (ran.approval !== undefined) reply.code(202);
      return answerOf(operation, ran);
    },
  });
}

function operatorOf({ operator }: FastifyRequest): TokenOwner {
  if (operator !== undefined) return operator;
  throw new AdminRefusal(401, 'Send a personal access token', 'token_missing');
}

type ErrorBody = {
  readonly status: 'error';
  readonly code: number;
  /** A code of what refused it, which stays as it is. */
  readonly reason: string;
  readonly message: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
};

function errorBody(code: number, message: string, reason = 'request_malformed'): ErrorBody {
  return { status: 'error', code, reason, message };
}

const rawRefusals = createRawRefusals(errorBody);

function answerErrors(app: FastifyInstance, { log }: Pick<AdminDependencies, 'log'>): void {
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url.split('?', 1)[0] ?? '');
    if (allowed.length === 0) {
      return reply
        .code(404)
        .send(errorBody(404, `There is no such path: see ${adminRoot}/openapi.json`, 'path_unknown'));
    }
    const list = allowed.join(', ');
    const told = `This path takes ${list} and no ${request.method}`;
    return reply
      .code(405)
      .header('allow', list)
      .send(errorBody(405, told, 'method_not_allowed'));
  });
  app.setErrorHandler(async (error, request, reply) => {
    await drainRefused(request.raw, reply.raw);
    if (error instanceof OperationError) {
      const { details, status, message } = error;
      request.refusedFor = details.code;
      const body = errorBody(status, message, details.code);
      const errors = fieldErrorsOf(details);
      return reply.code(status).send(errors.length === 0 ? body : { ...body, errors });
    }
    if (error instanceof AdminRefusal) {
      request.refusedFor = error.reason;
      if (error.status === 401) reply.header('www-authenticate', 'Bearer');
      if (error.retryAfterS !== undefined) reply.header('retry-after', error.retryAfterS);
      return reply.code(error.status).send(errorBody(error.status, error.message, error.reason));
    }
    if (isOfParser(error)) {
      request.refusedFor = 'body_malformed';
      return reply.code(400).send(errorBody(400, 'The body must be a JSON object', 'body_malformed'));
    }
    if (error instanceof BodyError) {
      const [status, reason, message] = bodyWords[error.fault];
      request.refusedFor = reason;
      return reply.code(status).send(errorBody(status, message, reason));
    }
    // A share of connections that is used up, or a database that stands still.
    if (isUnavailable(error) || error instanceof GatewayError) {
      request.refusedFor = 'database_away';
      reply.header('retry-after', 1);
      const told = isLockTrouble(error)
        ? 'Another operation has what this one needs, and does not end: nothing was done, try again'
        : 'The database does not answer: try again';
      return reply.code(503).send(errorBody(503, told, 'database_away'));
    }
    log.error({ err: error, reqId: request.id }, 'admin call failed');
    const told = `Something went wrong on our side: look before you do it again (request ${request.id})`;
    return reply.code(500).send(errorBody(500, told, 'internal'));
  });
}

const bodyWords: Readonly<Record<BodyFault, readonly [status: number, reason: string, message: string]>> = {
  too_large: [400, 'body_too_large', 'The body is too large'],
  too_deep: [400, 'body_malformed', 'The body is nested too deeply'],
  too_many_members: [400, 'body_too_many_members', 'The body has too many fields'],
  malformed: [400, 'body_malformed', 'The body must be a JSON object'],
  broken_off: [400, 'body_incomplete', 'The body broke off'],
  stalled: [408, 'body_stalled', 'The body stopped arriving. Send the request again'],
};

/** Fastify's own refusals of a body. */
function isOfParser(error: unknown): boolean {
  const { FST_ERR_CTP_INVALID_MEDIA_TYPE: type } = errorCodes;
  return error instanceof type || Reflect.get(Object(error), 'code') === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE';
}

function methodsOf(path: string): string[] {
  return operations
    .map(({ route }) => route.split(' '))
    .filter(([, template = '']) => {
      const pattern = template.replaceAll(/\{\w+\}/g, '[^/]+');
      return new RegExp(`^${adminRoot}${pattern}/?$`).test(path);
    })
    .map(([method = '']) => method)
    .sort();
}

/**
 * Who ran which operation from where, and how it ended. Never what was sent: it may have secrets.
 * Whoever is refused many times a second gets a few lines and a count.
 */
function logCalls(app: FastifyInstance, log: Pick<Logger, 'info'>): void {
  const refusals = new BoundedLines((caller, reason, count) =>
    log.info({ caller, reason, count }, 'more admin calls refused'),
  );
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, operator, id, refusedFor: reason, ip: address } = request;
    const status = reply.statusCode;
    const isRefused = status >= 400 && status < 500;
    if (!isRefused || refusals.admit(operator?.principal ?? address, reason ?? `status_${status}`)) {
      log.info(
        {
          reqId: id,
          method,
          route: routeOptions.url,
          operation: routeOptions.config.operation,
          status,
          actor: operator?.name,
          principal: operator?.principal,
          address,
          reason,
          ms: Math.round(reply.elapsedTime * 10) / 10,
        },
        'admin call',
      );
    }
    done();
  });
}
