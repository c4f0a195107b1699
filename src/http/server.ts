// The HTTP edge: bytes in, envelopes out. It authenticates, validates and shapes; it holds no business rule and knows
// neither database nor provider. Guarantees one error body for every refusal and one log line for every request.
import { randomBytes } from 'node:crypto';
import { parse as parseQuery } from 'node:querystring';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { systemClock } from '../kernel/clock.ts';
import { GatewayError } from '../kernel/errors.ts';
import type { ServerDependencies } from './dependencies.ts';
import { createAuthenticateHook } from './plumbing/authenticate.ts';
import { answerClientError, refuseExpectation } from './plumbing/client-errors.ts';
import { createErrorHandler, errorBody } from './plumbing/errors.ts';
import { formats } from './plumbing/formats.ts';
import { defaultHttpLimits, type HttpLimits } from './plumbing/http-limits.ts';
import { createRequestObserver, type RequestObserver } from './plumbing/observe-requests.ts';
import { registerOpenapi } from './plumbing/openapi.ts';
import { createRateLimiter } from './plumbing/rate-limit.ts';
import { readBody } from './plumbing/read-body.ts';
import { refuseInvalid } from './plumbing/refuse-invalid.ts';
import { registerEsimCatalogRoutes } from './routes/esim/catalog.ts';
import { registerEsimOrderRoutes } from './routes/esim/orders.ts';
import { registerAvailabilityRoute } from './routes/giftcards/availability.ts';
import { registerGiftCardCatalogRoute } from './routes/giftcards/catalog.ts';
import { registerGiftCardOrderRoutes } from './routes/giftcards/orders.ts';
import { registerGiftCardQuoteRoutes } from './routes/giftcards/quote.ts';
import { registerRedeemRoute } from './routes/giftcards/redeem.ts';
import { registerHealthRoute } from './routes/health.ts';
import { registerHooksRoute } from './routes/hooks.ts';
import { registerBillPlansRoute } from './routes/plans/bill-plans.ts';
import { registerDataPlansRoute } from './routes/plans/data-plans.ts';
import { registerCreateRoutes } from './routes/transactions/create.ts';
import { registerListRoute } from './routes/transactions/list.ts';
import { registerStatusRoute } from './routes/transactions/status.ts';
import { registerVerifyRoute } from './routes/transactions/verify.ts';
import { registerBalanceRoute } from './routes/wallet/balance.ts';
import { registerFundingAccountRoutes } from './routes/wallet/funding-account.ts';
import { registerMtnBalanceRoute } from './routes/wallet/mtn-balance.ts';
import { registerStatementRoute } from './routes/wallet/statement.ts';

export type { ServerDependencies } from './dependencies.ts';

/** A server that is ready to listen, or to be injected into. */
export async function buildServer(dependencies: ServerDependencies): Promise<FastifyInstance> {
  const limits: HttpLimits = { ...defaultHttpLimits, ...dependencies.limits };
  const observe = createRequestObserver(dependencies);
  const app = createApp(limits, observe);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('vendReference', undefined);
  app.setErrorHandler(createErrorHandler(dependencies.log));
  app.setNotFoundHandler((_request, reply) => {
    refuse(reply, 404, 'There is no such path, or not with this method: see /docs');
  });
  readBodies(app, limits);
  beginRequests(app, observe);
  stopGently(app);
  app.server.on('checkExpectation', refuseExpectation);

  await registerOpenapi(app, dependencies.version);
  registerHealthRoute(app, dependencies);
  registerHooksRoute(app, dependencies);
  await app.register((api, _options, done) => {
    registerApi(api, dependencies);
    done();
  });
  await app.ready();
  return app;
}

/** What needs a credential. */
function registerApi(api: FastifyInstance, dependencies: ServerDependencies): void {
  const rateLimiter = createRateLimiter(dependencies.rateLimit, systemClock);
  api.addHook('onRequest', createAuthenticateHook(dependencies.authenticate, rateLimiter));
  registerCreateRoutes(api, dependencies);
  registerVerifyRoute(api, dependencies);
  registerStatusRoute(api, dependencies);
  registerListRoute(api, dependencies);
  registerDataPlansRoute(api, dependencies);
  registerBillPlansRoute(api, dependencies);
  registerGiftCardCatalogRoute(api, dependencies);
  registerGiftCardQuoteRoutes(api, dependencies);
  registerAvailabilityRoute(api, dependencies);
  registerGiftCardOrderRoutes(api, dependencies);
  registerRedeemRoute(api, dependencies);
  registerEsimCatalogRoutes(api, dependencies);
  registerEsimOrderRoutes(api, dependencies);
  registerBalanceRoute(api, dependencies);
  registerMtnBalanceRoute(api, dependencies);
  registerStatementRoute(api, dependencies);
  registerFundingAccountRoutes(api, dependencies);
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
    },
    // While it closes, `beginRequests` refuses in our own words.
    return503OnClosing: false,
    routerOptions: { querystringParser: readQuery, maxParamLength: 200 },
    // A path that cannot be decoded never gets to a route or its hooks.
    frameworkErrors: (_error, request, reply) => {
      observe(request as FastifyRequest, reply as FastifyReply);
      reply.header('x-request-id', request.id);
      refuse(reply as FastifyReply, 400, 'The path is not a valid URL path');
    },
    clientErrorHandler: answerClientError,
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
      },
    },
    schemaErrorFormatter: refuseInvalid,
  });
}

/** Bodies are taken as bytes whatever their declared type; the routes that have one read it as JSON. */
function readBodies(app: FastifyInstance, limits: HttpLimits): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request: FastifyRequest, payload, done) => readBody(payload, limits, done));
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
  return { ...parseQuery(text) };
}

/** What every request meets first. */
function beginRequests(app: FastifyInstance, observe: RequestObserver): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onRequest', (request, reply, done) => {
    observe(request, reply);
    reply.header('x-request-id', request.id);
    if (closing) {
      done(new GatewayError('overloaded', 'This server is stopping: send the request again'));
    } else if (malformedQuery in (request.query as object)) {
      done(new GatewayError('invalid', 'The query string is not valid percent-encoding'));
    } else {
      done();
    }
  });
}

const SWEEP_MS = 50;

/**
 * Closing lasts until the last connection is gone, and one whose request was answered after closing began would idle on
 * until its keep-alive ends: those are closed as they turn idle.
 */
function stopGently(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return;
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
    app.server.once('close', () => clearInterval(sweep));
  });
}

/** `k3Jf9a2c-1`, `k3Jf9a2c-2` …: unique over processes and restarts, and cheap. */
function createRequestIds(): () => string {
  const process = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}

function refuse(reply: FastifyReply, status: number, message: string): void {
  reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(status, message)));
}
