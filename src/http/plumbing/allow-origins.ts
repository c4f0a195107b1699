/**
 * Which web pages may call the API from a browser. None, unless the operator names their origins:
 * a credential spends a wallet, and whatever a page has, its visitors have.
 */
import type { FastifyInstance } from 'fastify';
import { addVary } from './add-vary.ts';

const methods = 'DELETE, GET, HEAD, PATCH, POST';
const sentHeaders =
  'Accept, Content-Type, If-None-Match, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, X-Merchant-Key, ' +
  'X-Merchant-Secret, X-Request-Id';
const readHeaders = 'Allow, ETag, Retry-After, X-Request-Id';
/** How long a browser remembers what it may send. */
const REMEMBERED_S = 600;

/**
 * Tells browsers so on every answer, refusals included. Without origins nothing is added to a
 * request. To be called before all other hooks.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
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
