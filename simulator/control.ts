/** The simulator's own paths, which no provider has: whether it is up, its faults, its books. */
import type { FastifyPluginAsync } from 'fastify';
import type { Simulation } from './account.ts';
import { deliveryLine } from './books.ts';
import { json, notFound } from './http.ts';
import { sendLines } from './ndjson.ts';

export const controlRoutes: FastifyPluginAsync<Simulation> = async (app, { books, faults }) => {
  app.get('/healthz', () => json({ status: 'ok' }));
  app.get('/books', (_request, reply) => sendLines(reply, books.deliveries(), deliveryLine));
  app.get('/faults', () => json(faults));
  app.put('/faults', ({ body }) => {
    const wrong = faults.replace(body);
    return wrong.length > 0 ? json({ errors: wrong }, 400) : json(faults);
  });
  app.delete('/faults', () => {
    faults.clear();
    return json(faults);
  });
  app.post('/faults/release', async ({ body }) => {
    const { recipient } = (body ?? {}) as { readonly recipient?: unknown };
    if (typeof recipient !== 'string') return json({ errors: ['recipient must be text'] }, 400);
    return json({ orders: await faults.release(recipient) });
  });
  app.setNotFoundHandler(() => notFound);
};
