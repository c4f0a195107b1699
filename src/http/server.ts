/**
 * The HTTP edge: bytes in, envelopes out. It authenticates, validates and shapes; it holds no
 * business rule and knows neither database nor provider. Guarantees one error body for every
 * refusal and one log line for every request.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { takePipelineTurn } from '../edge/bound-pipelining.ts';
import { createRawRefusals, refuseRaw } from '../edge/raw-refusals.ts';
import { sentRequestId } from '../edge/request-id.ts';
import { systemClock } from '../kernel/clock.ts';
import type { ServerDependencies } from './dependencies.ts';
import { registerMcpRoute } from './mcp/route.ts';
import { allowOrigins } from './plumbing/allow-origins.ts';
import type { Api } from './plumbing/api.ts';
import { createAuthenticateHook } from './plumbing/authenticate.ts';
import { createErrorHandler, errorBody, isRead } from './plumbing/errors.ts';
import { formats } from './plumbing/formats.ts';
import { defaultHttpLimits, type HttpLimits } from './plumbing/http-limits.ts';
import { readJsonBodies } from './plumbing/json-bodies.ts';
import { noteKnownPaths } from './plumbing/known-paths.ts';
import { createRequestObserver, type RequestObserver } from './plumbing/observe-requests.ts';
import { annotationNames } from './plumbing/openapi/annotations.ts';
import { registerOpenapi } from './plumbing/openapi/register-openapi.ts';
import { createRateLimiter } from './plumbing/rate-limit.ts';
import { readBody } from './plumbing/read-body.ts';
import { parseQuery } from './plumbing/read-query.ts';
import type { Reason } from './plumbing/reasons.ts';
import { createReferenceLookup } from './plumbing/reference-lookup.ts';
import { Refusal, refuseForNow } from './plumbing/refusal.ts';
import { refuseInvalid } from './plumbing/refuse-invalid.ts';
import { registerGuides } from './plumbing/register-guides.ts';
import { merchantRoutes, openRoutes } from './routes/register-routes.ts';

export type { ServerDependencies } from './dependencies.ts';

const rawRefusals = createRawRefusals(errorBody);

/** A server that is ready to listen, or to be injected into. */
export async function buildServer(dependencies: ServerDependencies): Promise<FastifyInstance> {
  const limits: HttpLimits = { ...defaultHttpLimits, ...dependencies.limits };
  const observe = createRequestObserver(dependencies);
  const app = createApp(limits, observe);
  app.decorateRequest('principal', undefined);
  app.decorateRequest('vendReference', undefined);
  app.decorateRequest('refusalReason', undefined);
  const findReference = createReferenceLookup(dependencies.vending);
  app.setErrorHandler(createErrorHandler(dependencies.log, findReference));
  const paths = noteKnownPaths(app);
  app.setNotFoundHandler((request, reply) => {
    const methods = paths.methodsOf(request.url.split('?', 1)[0] ?? '');
    // A file of the pages that is not there comes here too.
    const isServed = methods.includes(request.method) && request.method !== 'OPTIONS';
    if (methods.length === 0 || isServed)
      return refuse(request, reply, 404, 'path_unknown', 'There is no such path: see /docs');
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

  await registerOpenapi(app, dependencies);
  if (dependencies.guides !== undefined) await registerGuides(app, dependencies.guides);
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  for (const register of openRoutes) register(api, dependencies);
  await api.register((scope: Api, _options, done) => {
    const rateLimiter = createRateLimiter(dependencies.rateLimit, systemClock);
    scope.addHook('onRequest', createAuthenticateHook(dependencies.authenticate, rateLimiter));
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
      // How often Node looks for connections that are too slow.
      connectionsCheckingInterval: Math.min(5_000, limits.headersTimeoutMs),
      // Node would refuse it without a body: `beginRequests` has words for it.
      requireHostHeader: false,
      // Whoever asks for another protocol is answered in this one.
      shouldUpgradeCallback: () => false,
    },
    // While it closes, `beginRequests` refuses in our own words.
    return503OnClosing: false,
    routerOptions: {
      querystringParser: readQuery,
      ignoreTrailingSlash: true,
      maxParamLength: limits.headerBytesMax,
    },
    // A path that cannot be decoded never gets to a route or its hooks.
    frameworkErrors: (_error, request, reply) => {
      observe(request as FastifyRequest, reply as FastifyReply);
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
    ajv: {
      customOptions: {
        // Nothing is repaired on the way in: what is not right is refused, and all of it at once.
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: true,
        allErrors: true,
        verbose: true,
        discriminator: true,
        formats,
        keywords: [...annotationNames],
      },
    },
    schemaErrorFormatter: refuseInvalid,
  });
}

/**
 * Bodies are taken as bytes, whatever their declared type; what they mean is read after all of them
 * is here.
 */
function readBodies(app: FastifyInstance, limits: HttpLimits): void {
  app.removeAllContentTypeParsers();
  // The common type by its name, so that Fastify finds it at once.
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

/** What every request meets first. */
function beginRequests(app: FastifyInstance, observe: RequestObserver): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onRequest', (request, reply, done) => takePipelineTurn(request.raw, reply.raw, done));
  app.addHook('onRequest', (request, reply, done) => {
    observe(request, reply);
    reply.header('x-request-id', request.id);
    // Balances, tokens and cards are nobody's to keep; the catalogs say otherwise for themselves.
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
  });
}

const SWEEP_MS = 50;

/**
 * Closing lasts until the last connection is gone, and one whose request was answered after closing
 * began would idle on until its keep-alive ends: those are closed as they turn idle.
 */
function stopGently(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return;
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
    app.server.once('close', () => clearInterval(sweep));
  });
}

/**
 * The caller's own id where it sends a well-formed one, else `k3Jf9a2c-1`, `k3Jf9a2c-2` …: unique
 * over processes and restarts, and cheap.
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
