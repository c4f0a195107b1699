/**
 * The ways in which a simulated provider handles an HTTP call: it answers, properly or not, or cuts
 * the connection. The handlers of its routes return a `Reply`, its hooks send one, and `app.ts`
 * writes it to the socket.
 */
import type { FastifyInstance } from 'fastify';

export type Reply =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'text'; readonly status: number; readonly type: string; readonly text: string }
  /** The connection is destroyed, after `afterMs` if given. */
  | { readonly kind: 'cut'; readonly afterMs?: number };

export function json(body: unknown, status = 200): Reply {
  return { kind: 'json', status, body };
}

export const notFound = json({ message: 'Not Found' }, 404);

/** The type of a route that reads the query string. */
export type WithQuery = { readonly Querystring: URLSearchParams };

/** Delays every call of a provider, including calls of unknown paths. */
export function delayCalls(app: FastifyInstance, latencyMs: number): void {
  if (latencyMs === 0) return;
  app.addHook('preHandler', (_request, _reply, done) => {
    setTimeout(done, latencyMs);
  });
}
