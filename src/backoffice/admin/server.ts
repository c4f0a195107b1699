/**
 * Serves the admin API: every operation under `/admin/v1`, on its own listener, authenticated by
 * personal access tokens. It has no business rules.
 *
 * Guarantees: all errors have the same body; every request writes one log line.
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
import { answerInTurn } from '../../api/edge/answer-in-turn.ts';
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
import { readTextInput, type TextInput } from '../operations/read-text-input.ts';
import { operations } from '../operations/registry.ts';
import { type RegisteredOperation, requireRole, runOperation } from '../operations/run-operation.ts';
import type { Services } from '../operations/services.ts';
import { describeAdminApi } from './describe-admin-api.ts';

export type AdminDependencies = {
  readonly services: Services;
  /** Returns undefined for an invalid token. */
  readonly findOperator: (token: string) => Promise<TokenOwner | undefined>;
  readonly version: string;
  readonly log: Pick<Logger, 'info' | 'error'>;
};

export const adminRoot = '/admin/v1';

/** Builds a server that is ready to listen or to be injected into. */
export async function buildAdminServer(dependencies: AdminDependencies): Promise<FastifyInstance> {
  const app = Fastify({
    logController: new LogController({ disableRequestLogging: true }),
    ...privateTimes,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // A malformed or too long path reaches neither routes nor hooks.
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
  answerInTurn(app.server);
  readBodies(app);
  answerErrors(app, dependencies);
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

/** Parses every body as JSON, whatever its content type. An empty body is an empty object. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    readJsonBody(payload, request.routeOptions.config.bodyBytesMax),
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    operator: TokenOwner | undefined;
    /** The error code, for the log. */
    refusedFor: string | undefined;
  }

  interface FastifyContextConfig {
    /** The name of the operation that the route runs. */
    operation?: string;
    /** The maximum size of a body in bytes. Absent: 64 KiB. */
    bodyBytesMax?: number;
  }
}

/** An error of the admin API itself. */
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
    throw new AdminRefusal(401, 'The token is unknown, expired or revoked', 'token_wrong');
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
    // Checked before the body is read, so that unauthorized requests cost little.
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
      // A second person must approve the request.
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
  /** The stable error code. */
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
        .send(errorBody(404, `Unknown path. See ${adminRoot}/openapi.json`, 'path_unknown'));
    }
    const list = allowed.join(', ');
    const message = `This path supports ${list}, not ${request.method}`;
    return reply
      .code(405)
      .header('allow', list)
      .send(errorBody(405, message, 'method_not_allowed'));
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
      const [status, reason, message] = bodyErrors[error.fault];
      request.refusedFor = reason;
      return reply.code(status).send(errorBody(status, message, reason));
    }
    // No connection is free, or the database is not responding.
    if (isUnavailable(error) || error instanceof GatewayError) {
      request.refusedFor = 'database_away';
      reply.header('retry-after', 1);
      const message = isLockTrouble(error)
        ? 'Another operation holds a lock. Nothing was changed. Try again.'
        : 'The database is not responding. Try again.';
      return reply.code(503).send(errorBody(503, message, 'database_away'));
    }
    log.error({ err: error, reqId: request.id }, 'admin call failed');
    const message = `Internal error (request ${request.id}). Check the state before you retry.`;
    return reply.code(500).send(errorBody(500, message, 'internal'));
  });
}

const bodyErrors: Readonly<Record<BodyFault, readonly [status: number, reason: string, message: string]>> = {
  too_large: [400, 'body_too_large', 'The body is too large'],
  too_deep: [400, 'body_malformed', 'The body is nested too deeply'],
  too_many_members: [400, 'body_too_many_members', 'The body has too many fields'],
  malformed: [400, 'body_malformed', 'The body must be a JSON object'],
  broken_off: [400, 'body_incomplete', 'The body is incomplete'],
  stalled: [408, 'body_stalled', 'The body stopped arriving. Send the request again'],
};

/** Whether Fastify refused the content type. */
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
 * Logs each request: who ran which operation from where, and its result. It never logs inputs,
 * which may have secrets. Frequent refusals of a caller are summarized by a count.
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

/**
 * Reads the input of an operation from an HTTP request: the path, and the query of a GET or the
 * JSON body of other methods. `Idempotency-Key` is the `key` of operations that have one.
 */
function readCall(
  { input, route }: Pick<RegisteredOperation, 'input' | 'route'>,
  request: Pick<FastifyRequest, 'params' | 'query' | 'body' | 'headers'>,
): unknown {
  const path = readTextInput(input, request.params as TextInput);
  const isAsked = route.startsWith('GET ');
  const sent = isAsked ? readTextInput(input, request.query as TextInput) : (request.body ?? {});
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const key = request.headers['idempotency-key'];
  const keyed = key !== undefined && 'key' in input.properties ? { key } : {};
  // A parameter of the path must not be repeated elsewhere.
  const twice = Object.keys(sent).find((name) => name in path);
  if (twice !== undefined) {
    throw new OperationError({
      code: 'input_malformed',
      errors: [{ field: twice, kind: 'wrong', wanted: 'only in the path' }],
    });
  }
  return { ...keyed, ...sent, ...path };
}
