/**
 * The HTTP server of merchants. It authenticates, validates and formats. It has no business rule,
 * and no access to the database or to providers. Guarantees one error body for every refusal and
 * one log line for every request.
 */

import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HookHandlerDoneFunction,
  LogController,
} from 'fastify';
import { systemClock } from '../core/clock.ts';
import type { ServerDependencies } from './dependencies.ts';
import { answerInTurn } from './edge/answer-in-turn.ts';
import { createRawRefusals, refuseRaw } from './edge/raw-refusals.ts';
import { sentRequestId } from './edge/request-id.ts';
import { registerMcpRoute } from './mcp/route.ts';
import { addVary } from './plumbing/add-vary.ts';
import type { Api } from './plumbing/api.ts';
import { createAuthenticateHook } from './plumbing/authenticate.ts';
import { serializeWhenUsed, validateWhenUsed } from './plumbing/compile-when-used.ts';
import { createErrorHandler, errorBody, isRead } from './plumbing/errors.ts';
import { defaultHttpLimits, type HttpLimits } from './plumbing/http-limits.ts';
import { readBody, readJsonBodies } from './plumbing/json-bodies.ts';
import { createRequestObserver, type RequestObserver } from './plumbing/observe-requests.ts';
import { registerOpenapi } from './plumbing/openapi/register-openapi.ts';
import { createRateLimiter } from './plumbing/rate-limit.ts';
import { parseQuery } from './plumbing/read-query.ts';
import type { Reason } from './plumbing/reasons.ts';
import { createReferenceLookup } from './plumbing/reference-lookup.ts';
import { Refusal, refuseForNow } from './plumbing/refusal.ts';
import { refuseInvalid } from './plumbing/refuse-invalid.ts';
import { registerGuides } from './plumbing/register-guides.ts';
import { validatorOptions } from './plumbing/validator.ts';
import { merchantRoutes, openRoutes } from './routes/register-routes.ts';

export type { ServerDependencies } from './dependencies.ts';

const rawRefusals = createRawRefusals(errorBody);

/** A server that can listen, or be called by injection. */
export async function buildServer(dependencies: ServerDependencies): Promise<FastifyInstance> {
  const limits: HttpLimits = { ...defaultHttpLimits, ...dependencies.limits };
  const observe = createRequestObserver(dependencies);
  const app = createApp(limits, observe);
  app.decorateRequest('principal', undefined);
  app.decorateRequest('purchaseReference', undefined);
  app.decorateRequest('refusalReason', undefined);
  const findReference = createReferenceLookup(dependencies.purchases);
  app.setErrorHandler(createErrorHandler(dependencies, findReference));
  const paths = noteKnownPaths(app);
  app.setNotFoundHandler((request, reply) => {
    const methods = paths.methodsOf(request.url.split('?', 1)[0] ?? '');
    // Also called for a missing file of the pages.
    const isServed = methods.includes(request.method) && request.method !== 'OPTIONS';
    if (methods.length === 0 || isServed)
      return refuse(request, reply, 404, 'path_unknown', 'Unknown path: see /docs');
    const list = methods.join(', ');
    reply.header('allow', list);
    if (request.method === 'OPTIONS') return reply.code(204).send();
    refuse(request, reply, 405, 'method_not_allowed', `This path takes ${list} and no ${request.method}`);
  });
  readBodies(app, limits);
  allowOrigins(app, dependencies.allowedOrigins ?? []);
  beginRequests(app, observe);
  stopGently(app);
  refuseRaw(app.server, rawRefusals);
  answerInTurn(app.server);

  await registerOpenapi(app, dependencies);
  if (dependencies.guides !== undefined) await registerGuides(app, dependencies.guides);
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  for (const register of openRoutes) register(api, dependencies);
  await api.register((scope: Api, _options, done) => {
    const rateLimiter = createRateLimiter(dependencies.rateLimit, systemClock);
    scope.addHook('onRequest', createAuthenticateHook(dependencies.authenticator, rateLimiter));
    readJsonBodies(scope);
    for (const register of merchantRoutes) register(scope, dependencies);
    registerMcpRoute(scope, dependencies);
    done();
  });
  await app.ready();
  return app;
}

function createApp(limits: HttpLimits, observe: RequestObserver): FastifyInstance {
  return Fastify({
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(),
    bodyLimit: limits.bodyBytesMax,
    connectionTimeout: limits.connectionTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    maxRequestsPerSocket: 0,
    trustProxy: limits.trustProxy,
    http: {
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout: limits.headersTimeoutMs,
      // How often Node.js looks for connections that are too slow.
      connectionsCheckingInterval: Math.min(5_000, limits.headersTimeoutMs),
      // Node.js would refuse the request without a body. `beginRequests` refuses it with one.
      requireHostHeader: false,
      // A request for another protocol is answered in HTTP/1.1.
      shouldUpgradeCallback: () => false,
    },
    // While the server closes, `beginRequests` refuses with our own message.
    return503OnClosing: false,
    routerOptions: {
      querystringParser: readQuery,
      ignoreTrailingSlash: true,
      maxParamLength: limits.headerBytesMax,
    },
    // A path that cannot be decoded reaches no route and no hook.
    frameworkErrors: (_error, request, reply) => {
      reply.raw.once('close', observe(request as FastifyRequest, reply as FastifyReply));
      reply.header('x-request-id', request.id).header('cache-control', 'no-store');
      refuse(
        request as FastifyRequest,
        reply as FastifyReply,
        400,
        'path_malformed',
        'The path is not a valid URL path',
      );
    },
    clientErrorHandler: rawRefusals.answerClientError,
    ajv: { customOptions: validatorOptions },
    schemaController: {
      compilersFactory: { buildValidator: validateWhenUsed, buildSerializer: serializeWhenUsed },
    },
    schemaErrorFormatter: refuseInvalid,
  });
}

/** Bodies are read as bytes, whatever their declared type, and parsed when they are complete. */
function readBodies(app: FastifyInstance, limits: HttpLimits): void {
  app.removeAllContentTypeParsers();
  // The common type has its own parser, which Fastify finds by name.
  app.addContentTypeParser(['application/json', '*'], (_request: FastifyRequest, payload, done) =>
    readBody(payload, limits, done),
  );
}

const malformedQuery = Symbol('malformed query');

function readQuery(text: string): Record<string, unknown> {
  if (text.includes('%')) {
    try {
      decodeURIComponent(text);
    } catch {
      return { [malformedQuery]: true } as Record<string, unknown>;
    }
  }
  return parseQuery(text);
}

/** The hooks that every request passes first. */
function beginRequests(app: FastifyInstance, observe: RequestObserver): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  const begin = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    reply.header('x-request-id', request.id);
    // Balances, tokens and cards must not be cached. Catalogs set their own header.
    if (!request.url.startsWith('/docs')) reply.header('cache-control', 'no-store');
    if (closing) {
      const advice = isRead(request) ? 'try again' : 'send the request again';
      done(refuseForNow('stopping', `This server is stopping: ${advice}`));
    } else if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      done(new Refusal(400, 'host_missing', 'The Host header is missing: HTTP/1.1 requires it'));
    } else if (malformedQuery in (request.query as object)) {
      done(new Refusal(400, 'query_malformed', 'The query string is not valid percent-encoding'));
    } else {
      done();
    }
  };
  app.addHook('onRequest', (request, reply, done) => {
    // A response closes once. `once` would create three more objects per request.
    reply.raw.on('close', observe(request, reply));
    begin(request, reply, done);
  });
}

const SWEEP_MS = 50;

/**
 * Closing waits for the last connection. A connection whose request was answered after closing
 * began would stay idle until its keep-alive ends, so idle connections are closed at once.
 */
function stopGently(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return;
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
    app.server.once('close', () => clearInterval(sweep));
  });
}

/**
 * The caller's own id if it sends a well-formed one, else `k3Jf9a2c-1`, `k3Jf9a2c-2` …, which is
 * unique across processes and restarts.
 */
function createRequestIds(): (request: { readonly headers: IncomingHttpHeaders }) => string {
  const process = randomBytes(6).toString('base64url');
  let count = 0;
  return ({ headers }) => {
    const sent = sentRequestId(headers);
    if (sent !== undefined) return sent;
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  reason: Reason,
  message: string,
): void {
  request.refusalReason = reason;
  reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(status, message, reason)));
}

type KnownPaths = {
  /** In alphabetical order. Empty when the path does not exist. */
  methodsOf(path: string): readonly string[];
};

/** Call it before the routes are registered. */
function noteKnownPaths(app: FastifyInstance): KnownPaths {
  const known = new Map<string, { readonly path: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { path: patternOf(url), methods: new Set() };
    known.set(url, entry);
    for (const one of [method].flat()) entry.methods.add(one);
  });
  return {
    methodsOf: (path) => {
      // `OPTIONS *` is a request about the server as a whole.
      if (path === '*') return ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST'];
      const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
      const found = [...known.values()].filter((entry) => entry.path.test(plain));
      if (found.length === 0) return [];
      return [...new Set(['OPTIONS', ...found.flatMap(({ methods }) => [...methods])])].sort();
    },
  };
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}

const methods = 'DELETE, GET, HEAD, PATCH, POST';
const sentHeaders =
  'Accept, Content-Type, If-None-Match, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, X-Merchant-Key, ' +
  'X-Merchant-Secret, X-Request-Id';
const readHeaders = 'Allow, ETag, Retry-After, X-Request-Id';
/** How long a browser may cache a preflight answer. */
const REMEMBERED_S = 600;

/**
 * Adds the CORS headers to every answer, refusals included. Without origins it adds nothing. Call
 * it before all other hooks.
 */
function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  app.addHook('onRequest', (request, reply, done) => {
    addVary(reply, 'Origin');
    const { origin } = request.headers;
    if (origin !== undefined && allowed.has(origin)) {
      reply.header('access-control-allow-origin', origin);
      reply.header('access-control-expose-headers', readHeaders);
      if (request.method === 'OPTIONS') {
        reply.header('access-control-allow-methods', methods);
        reply.header('access-control-allow-headers', sentHeaders);
        reply.header('access-control-max-age', REMEMBERED_S);
      }
    }
    done();
  });
}
