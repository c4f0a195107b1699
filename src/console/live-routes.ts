/** The stream of what moves, for the console. A merchant's people see their own on their pages. */
import type { FastifyInstance } from 'fastify';
import { listOpen } from '../users/session-store.ts';
import type { ConsoleDependencies } from './dependencies.ts';
import { LiveEvents } from './live.ts';
import { requireOpen } from './require-open.ts';

export function serveLive(app: FastifyInstance, { services, database, face }: ConsoleDependencies): void {
  if (face !== 'console') return;
  const live = new LiveEvents(services, (sessions) => listOpen(database, sessions));
  // Before the server waits for its connections to end.
  app.addHook('preClose', () => live[Symbol.asyncDispose]());
  app.get('/api/live', (request, reply) => {
    const { session } = requireOpen(request);
    const response = reply.raw;
    const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
    reply.hijack();
    response.writeHead(200, headers as Record<string, string>);
    response.write('retry: 3000\n\n');
    // Whoever is one too many asks again in a minute.
    if (!live.watch({ response, session: session.id })) {
      response.end('retry: 60000\nevent: full\ndata: {}\n\n');
    }
  });
}
