/**
 * The admin API: every operation under `/admin/v1`, on a listener of its own. It authenticates by
 * personal access token and shapes; it holds no rule. Guarantees one error body for every refusal,
 * and one log line for every call.
 */
import { randomUUID } from 'node:crypto';
import Fastify, { errorCodes, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import type { TokenOwner } from '../access/find-operator.ts';
import { isLockTimeout, isUnavailable } from '../db/database-errors.ts';
import { GatewayError, OperationError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { answerOf } from '../operations/answer-of.ts';
import { faultText, inputFaultText } from '../operations/fault-words.ts';
import { operations } from '../operations/registry.ts';
import { type RegisteredOperation, runOperation } from '../operations/run-operation.ts';
import type { Services } from '../operations/services.ts';
import { describeAdminApi } from './describe-admin-api.ts';
import { faultStatus } from './fault-status.ts';
import { readCall } from './read-call.ts';

export type AdminDependencies = {
  readonly services: Services;
  /** Undefined for a token that may not be used. */
  readonly findOperator: (token: string) => Promise<TokenOwner | undefined>;
  readonly version: string;
  readonly log: Pick<Logger, 'info' | 'error'>;
};

export const adminRoot = '/admin/v1';

/** A whole catalog is sent in one call. */
const BODY_BYTES_MAX = 16 * 1_024 * 1_024;
/** What a caller may call its request. */
const REQUEST_ID = /^[A-Za-z0-9][\w.:-]{0,99}$/;

/** A server that is ready to listen, or to be injected into. */
export async function buildAdminServer(dependencies: AdminDependencies): Promise<FastifyInstance> {
  const app = Fastify({
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: 60_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    genReqId: ({ headers }) => {
      const sent = headers['x-request-id'];
      return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
    },
  });
  readBodies(app);
  answerErrors(app, dependencies);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    done();
  });
  logCalls(app, dependencies.log);
  app.decorateRequest('operator', undefined);
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
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? {} : JSON.parse(String(text)));
    } catch {
      done(new AdminRefusal(400, 'The body must be a JSON object'));
    }
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    operator: TokenOwner | undefined;
  }
}

/** A refusal in the words of this edge. */
class AdminRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function authenticate(
  { headers }: FastifyRequest,
  { findOperator }: Pick<AdminDependencies, 'findOperator'>,
): Promise<TokenOwner> {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (token === undefined) {
    throw new AdminRefusal(401, 'Send a personal access token: "Authorization: Bearer oja_pat_…"');
  }
  const operator = await findOperator(token);
  if (operator === undefined) {
    throw new AdminRefusal(401, 'The token is not known, has expired, or was revoked');
  }
  return operator;
}

function serve(app: FastifyInstance, operation: RegisteredOperation, services: Services): void {
  const [method = 'GET', path = ''] = operation.route.split(' ');
  app.route({
    method,
    url: `${adminRoot}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    handler: async (request, reply) => {
      const { operator } = request;
      if (operator === undefined) throw new AdminRefusal(401, 'Send a personal access token');
      const ran = await runOperation(services, operation, readCall(operation, request), operator);
      // It is not done: a second person must approve it.
      if (ran.approval !== undefined) reply.code(202);
      return answerOf(operation, ran);
    },
  });
}

type ErrorBody = {
  readonly status: 'error';
  readonly code: number;
  readonly message: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
};

function answerErrors(app: FastifyInstance, { log }: Pick<AdminDependencies, 'log'>): void {
  const body = (code: number, message: string): ErrorBody => ({ status: 'error', code, message });
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url.split('?', 1)[0] ?? '');
    if (allowed.length === 0) {
      return reply.code(404).send(body(404, `There is no such path: see ${adminRoot}/openapi.json`));
    }
    const list = allowed.join(', ');
    const told = `This path takes ${list} and no ${request.method}`;
    return reply.code(405).header('allow', list).send(body(405, told));
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof OperationError) {
      const { fault } = error;
      const status = faultStatus[fault.code];
      const told = body(status, faultText(fault));
      const errors =
        fault.code === 'input_malformed'
          ? fault.faults.map((one) => ({ field: one.field, message: inputFaultText(one) }))
          : undefined;
      return reply.code(status).send(errors === undefined ? told : { ...told, errors });
    }
    if (error instanceof AdminRefusal) {
      if (error.status === 401) reply.header('www-authenticate', 'Bearer');
      return reply.code(error.status).send(body(error.status, error.message));
    }
    if (isOfParser(error)) {
      const most = `The body must be a JSON object of at most ${BODY_BYTES_MAX} bytes`;
      return reply.code(400).send(body(400, most));
    }
    // A share of connections that is used up, or a database that stands still.
    if (isUnavailable(error) || error instanceof GatewayError) {
      reply.header('retry-after', 1);
      const told = isLockTimeout(error)
        ? 'Another operation has what this one needs, and does not end: nothing was done, try again'
        : 'The database does not answer: try again';
      return reply.code(503).send(body(503, told));
    }
    log.error({ err: error, reqId: request.id }, 'admin call failed');
    const told = `Something went wrong on our side: look before you do it again (request ${request.id})`;
    return reply.code(500).send(body(500, told));
  });
}

/** Fastify's own refusals of a body. */
function isOfParser(error: unknown): boolean {
  const { FST_ERR_CTP_INVALID_MEDIA_TYPE: type, FST_ERR_CTP_BODY_TOO_LARGE: size } = errorCodes;
  return error instanceof type || error instanceof size;
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

/** Who called what, and how it ended. Never what was sent: it may have secrets. */
function logCalls(app: FastifyInstance, log: Pick<Logger, 'info'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, operator, id } = request;
    log.info(
      {
        reqId: id,
        method,
        route: routeOptions.url,
        status: reply.statusCode,
        principal: operator?.principal,
        latencyMs: Math.round(reply.elapsedTime),
      },
      'admin call',
    );
    done();
  });
}
