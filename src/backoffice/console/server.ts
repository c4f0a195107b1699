/**
 * The listener of the console, or of the portal: the built application, and under `/api` who is
 * signed in and every operation that the person may run. It holds no rule of its own.
 *
 * Guarantees: nothing but signing in is done without an open session; one error body for every
 * refusal; one log line for every call, without what was sent.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { takePipelineTurn } from '../../api/edge/bound-pipelining.ts';
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
import { readSessionCookie } from './require-open.ts';
import { serveSecondFactors } from './second-factor-routes.ts';
import { serveSession } from './session-routes.ts';
import { serveSignIn } from './sign-in-routes.ts';

const rawRefusals = createRawRefusals((_status, message) => errorBody('request_malformed', message));

/** A server that is ready to listen, or to be injected into. */
export async function buildConsoleServer(dependencies: ConsoleDependencies): Promise<FastifyInstance> {
  const { trustedProxies, clock, face, database, log } = dependencies;
  const app = Fastify({
    logController: new LogController({ disableRequestLogging: true }),
    ...privateTimes,
    trustProxy: trustedProxies.length > 0 ? trustedProxies.join(',') : false,
    genReqId: () => randomUUID(),
    clientErrorHandler: rawRefusals.answerClientError,
    frameworkErrors: (_error, _request, reply) => {
      (reply as FastifyReply).code(400).send(errorBody('request_malformed', 'The address cannot be read'));
    },
  });
  refuseRaw(app.server, rawRefusals);
  readBodies(app);
  answerErrors(app, dependencies);
  app.decorateRequest('present', undefined);
  app.decorateRequest('nonce', '');
  app.decorateRequest('bodyBytesMax', undefined);
  app.decorateRequest('refusedWith', undefined);
  logCalls(app, log);
  app.addHook('onRequest', (request, reply, done) =>
    takePipelineTurn(request.raw, reply.raw, () => void done()),
  );
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
      throw new ConsoleRefusal(404, 'no_such_path', 'There is no such path, or none for this method');
    });
    done();
  });
  servePages(app, dependencies);
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send(errorBody('no_such_path', 'There is no such path, or none for this method')),
  );
  await app.ready();
  return app;
}

/** JSON and nothing else: a form of another site cannot send it. No body is an empty object. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request: FastifyRequest, payload: IncomingMessage) =>
    readJsonBody(payload, request.bodyBytesMax),
  );
}

/** Who called what from where, and how it ended. Never what was sent, nor a cookie. */
function logCalls(app: FastifyInstance, log: Pick<Logger, 'info'>): void {
  const refusals = new BoundedLines((caller, reason, count) =>
    log.info({ caller, reason, count }, 'more console calls refused'),
  );
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, present, params, id, refusedWith: reason, ip: address } = request;
    // Pages and their files say nothing of what people do.
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

/** Of an operation: what a caller made up is not logged at length. */
function nameIn(params: unknown): string | undefined {
  const name: unknown = Reflect.get(Object(params), 'name');
  return typeof name === 'string' && /^[a-z_.-]{1,60}$/.test(name) ? name : undefined;
}
