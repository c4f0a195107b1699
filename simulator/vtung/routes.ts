/** VTU.ng's paths below `/vtung`. The variations need no token. */
import type { FastifyPluginAsync } from 'fastify';
import type { Simulation } from '../account.ts';
import { delayCalls, type WithQuery } from '../http.ts';
import { holdBack, spoil } from '../misbehave.ts';
import { type Kind, pay } from './pay.ts';
import { balance, requery, variations, verify } from './reads.ts';
import { refusal, unauthorized, words } from './replies.ts';
import { openVtung } from './vtung.ts';

const noRoute = refusal('rest_no_route', 'No route was found matching the URL and request method.', 404);

export const vtungRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const vtung = await openVtung(simulation);
  const { account, tokens } = vtung;
  app.addHook('onClose', async () => account.close());
  delayCalls(app, simulation.settings.latencyMs);
  app.post('/jwt-auth/v1/token', async ({ body }) => {
    const fault = account.fault('token', '');
    await holdBack(fault);
    if (fault?.fault === 'refused') return tokens.logIn({});
    const reply = tokens.logIn(body);
    return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
  });
  for (const kind of ['data', 'tv'] as const) {
    app.get<WithQuery>(`/api/v2/variations/${kind}`, ({ query }) =>
      variations(vtung, kind, query.get('service_id')),
    );
  }
  app.setNotFoundHandler(() => noRoute);
  await app.register(async (own) => {
    own.addHook('preHandler', ({ headers }, reply, done) => {
      if (tokens.admits(headers)) done();
      else reply.send(unauthorized);
    });
    own.get('/api/v2/balance', () => balance(vtung));
    own.post('/api/v2/verify-customer', ({ body }) => verify(vtung, body));
    own.post('/api/v2/requery', ({ body }) => requery(vtung, body));
    own.post<{ Params: { readonly kind: Kind } }>(
      '/api/v2/:kind(airtime|data|electricity|tv|betting)',
      ({ params: { kind }, body }) => pay(vtung, kind, body),
    );
  });
};
