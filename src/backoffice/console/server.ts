/**
 * Serves the console or the portal: the built application and, under `/api`, sessions and the
 * operations that the user may run. It has no business rules.
 *
 * Guarantees: without an open session only signing in is possible; all errors have the same body;
 * every call writes one log line, without inputs.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { answerInTurn } from '../../api/edge/answer-in-turn.ts';
import { privateTimes } from '../../api/edge/private-times.ts';
import { createRawRefusals, refuseRaw } from '../../api/edge/raw-refusals.ts';
import { readJsonBody } from '../../api/edge/read-json-body.ts';
import { BoundedLines } from '../../core/bounded-lines.ts';
import type { Logger } from '../../core/log.ts';
import { findPresent } from '../users/open-session.ts';
import { principalOf } from '../users/sign-in-parts.ts';
import { answerErrors, ConsoleRefusal, errorBody } from './answer-errors.ts';
import { serveCsv } from './csv-routes.ts';
import type { ConsoleDependencies } from './dependencies.ts';
import { serveLive } from './live.ts';
import { serveOperations } from './operation-routes.ts';
import { servePages } from './pages.ts';
import { limitRequests, protect } from './protect.ts';
import { serveReceipts } from './receipt-page.ts';
import { readSessionCookie } from './require-open.ts';
import { serveSecondFactors } from './second-factor-routes.ts';
import { serveSession } from './session-routes.ts';
import { serveSignIn } from './sign-in-routes.ts';

const rawRefusals = createRawRefusals((_status, message) => errorBody('request_malformed', message));

/** Builds a server that is ready to listen or to be injected into. */
export async function buildConsoleServer(dependencies: ConsoleDependencies): Promise<FastifyInstance> {
  const { trustedProxies, clock, face, database, log } = dependencies;
  const app = Fastify({
    logController: new LogController({ disableRequestLogging: true }),
    ...privateTimes,
    trustProxy: trustedProxies.length > 0 ? trustedProxies.join(',') : false,
    genReqId: () => randomUUID(),
    clientErrorHandler: rawRefusals.answerClientError,
    frameworkErrors: (_error, _request, reply) => {
      (reply as FastifyReply).code(400).send(errorBody('request_malformed', 'The address is malformed'));
    },
  });
  refuseRaw(app.server, rawRefusals);
  answerInTurn(app.server);
  readBodies(app);
  answerErrors(app, dependencies);
  app.decorateRequest('present', undefined);
  app.decorateRequest('nonce', '');
  app.decorateRequest('bodyBytesMax', undefined);
  app.decorateRequest('refusedWith', undefined);
  logCalls(app, log);
  protect(app, dependencies);
  await app.register((api, _options, done) => {
    limitRequests(api, clock);
    api.addHook('onRequest', async (request) => {
      request.present = await findPresent(database, readSessionCookie(request, face), face);
    });
    serveSession(api, dependencies);
    serveSignIn(api, dependencies);
    serveSecondFactors(api, dependencies);
    serveOperations(api, dependencies);
    serveCsv(api, dependencies);
    serveLive(api, dependencies);
    api.all('/api/*', () => {
      throw new ConsoleRefusal(404, 'no_such_path', 'Unknown path or method');
    });
    done();
  });
  if (face === 'portal') {
    await app.register((receipts, _options, done) => {
      serveReceipts(receipts, dependencies);
      done();
    });
  }
  servePages(app, dependencies);
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send(errorBody('no_such_path', 'Unknown path or method')),
  );
  await app.ready();
  return app;
}

/** Accepts only JSON, which a form of another site cannot send. An empty body is an object. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request: FastifyRequest, payload: IncomingMessage) =>
    readJsonBody(payload, request.bodyBytesMax),
  );
}

/** Logs each call: who called what from where, and its result. It never logs inputs or cookies. */
function logCalls(app: FastifyInstance, log: Pick<Logger, 'info'>): void {
  const refusals = new BoundedLines((caller, reason, count) =>
    log.info({ caller, reason, count }, 'more console calls refused'),
  );
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, present, params, id, refusedWith: reason, ip: address } = request;
    // Pages and files are not logged.
    if (routeOptions.url?.startsWith('/api/') !== true && reason === undefined) return done();
    const status = reply.statusCode;
    const isRefused = status >= 400 && status < 500;
    if (!isRefused || refusals.admit(address, reason ?? `status_${status}`)) {
      log.info(
        {
          reqId: id,
          method,
          route: routeOptions.url,
          operation: nameIn(params),
          status,
          principal: present && principalOf(present.user),
          session: present?.session.id,
          address,
          reason,
          ms: Math.round(reply.elapsedTime * 10) / 10,
        },
        'console call',
      );
    }
    done();
  });
}

/** Returns the name of the operation if it is well-formed. */
function nameIn(params: unknown): string | undefined {
  const name: unknown = Reflect.get(Object(params), 'name');
  return typeof name === 'string' && /^[a-z_.-]{1,60}$/.test(name) ? name : undefined;
}
