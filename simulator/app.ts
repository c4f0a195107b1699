/**
 * The Fastify application in which the providers' routes are registered. It reads every body as
 * JSON, or as a form if it is one. It sends the `Reply` of a handler unchanged, with only the
 * headers for type and length.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyServerFactory } from 'fastify';
import { json, type Reply } from './http.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The raw body, because signatures cover it. */
    text: string;
    /** The content type that the caller declared. */
    declared: string;
  }
}

/** As long as a path can be: parameters have no separate limit. */
const PARAMETER_LENGTH_MAX = 16 * 1024;

export function createApp(serverFactory: FastifyServerFactory): FastifyInstance {
  const app = Fastify({
    serverFactory,
    // Large books take long to open.
    pluginTimeout: 0,
    // A provider answers HEAD like an unknown path.
    exposeHeadRoutes: false,
    // A body that is too large is read to its end and then treated as invalid JSON.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    routerOptions: {
      maxParamLength: PARAMETER_LENGTH_MAX,
      querystringParser: (text) => new URLSearchParams(text) as unknown as Record<string, unknown>,
    },
  });
  readBodies(app);
  sendReplies(app);
  app.setErrorHandler((error, request) => {
    if (!request.raw.destroyed) console.error('simulator:', error);
    return json({ message: 'Server Error' }, 500);
  });
  return app;
}

/** The declared content type matters only for forms, and may be missing. */
function readBodies(app: FastifyInstance): void {
  app.decorateRequest('text', '');
  app.decorateRequest('declared', '');
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    request.declared = headers['content-type'] ?? '';
    headers['content-type'] = 'application/json';
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.text = (body as Buffer).toString('utf8');
    const parsed = parseBody(body as Buffer);
    if (parsed !== undefined || !FORM.test(request.declared)) return done(null, parsed);
    void readForm(request.declared, body as Buffer).then((form) => done(null, form));
  });
}

const FORM = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/i;

/** The fields of a form. Undefined if it is malformed. */
async function readForm(type: string, body: Buffer): Promise<unknown> {
  try {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
    return Object.fromEntries(form);
  } catch {
    return undefined;
  }
}

const BODY_BYTES_MAX = 64 * 1024;

/** Undefined if it is not JSON or too large: the route then refuses it in its provider's format. */
function parseBody(body: Buffer): unknown {
  if (body.length > BODY_BYTES_MAX) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function sendReplies(app: FastifyInstance): void {
  app.addHook<Reply>('preSerialization', (_request, reply, answer, done) => {
    if (answer.kind === 'cut') {
      // Nothing is sent until `done` is called.
      void cut(reply.hijack().raw, answer.afterMs);
      return;
    }
    const isJson = answer.kind === 'json';
    reply.code(answer.status).type(isJson ? 'application/json' : answer.type);
    reply.serializer(isJson ? JSON.stringify : String);
    done(null, isJson ? answer.body : answer.text);
  });
}

async function cut(response: ServerResponse, afterMs: number | undefined): Promise<void> {
  // This does not keep the process alive: a stopping simulator disconnects at once.
  if (afterMs !== undefined) await sleep(afterMs, undefined, { ref: false });
  response.destroy();
}
