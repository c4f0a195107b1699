/** BuyPower's paths below `/buypower/v2`, and its check of the token. */
import type { FastifyPluginAsync } from 'fastify';
import type { Simulation } from '../account.ts';
import { delayCalls, json, notFound, type WithQuery } from '../http.ts';
import { balance, check, discos, query, tariffs } from './reads.ts';
import { words } from './replies.ts';
import { openBuypower, vend } from './vend.ts';

const KEY = 'Bearer simulator-buypower-token';

export const buypowerRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const buypower = await openBuypower(simulation);
  app.addHook('onClose', async () => buypower.account.close());
  delayCalls(app, simulation.settings.latencyMs);
  app.addHook('preHandler', ({ headers }, reply, done) => {
    if (headers.authorization === KEY) done();
    else reply.send(words.unauthorized);
  });
  app.post('/vend', ({ body }) => vend(buypower, body));
  app.get<WithQuery>('/vend', ({ query: asked }) => query(buypower, asked.get('orderId') ?? ''));
  app.get<{ Params: { readonly id: string } }>('/transaction/:id', ({ params }) =>
    query(buypower, params.id),
  );
  app.get<WithQuery>('/check/meter', ({ query: asked }) => check(buypower, asked));
  app.get('/wallet/balance', () => balance(buypower));
  app.get('/discos/status', () => json(discos(buypower)));
  for (const end of ['', '/']) {
    app.get<WithQuery>(`/tariff${end}`, ({ query: asked }) => tariffs(buypower, asked));
  }
  app.setNotFoundHandler(() => notFound);
};
