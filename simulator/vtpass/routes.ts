/** VTpass's paths below `/vtpass/api`, and its check of keys, or of e-mail and password. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyPluginAsync } from 'fastify';
import type { Simulation } from '../account.ts';
import { delayCalls, notFound, type WithQuery } from '../http.ts';
import { pay } from './pay.ts';
import { balance, categories, services, variations } from './reads.ts';
import { refusal } from './replies.ts';
import { requery } from './requery.ts';
import { verify } from './verify.ts';
import { openVtpass } from './vtpass.ts';

/**
 * The simulator's only account. These protect nothing: they exist so that a wrong key can be
 * refused.
 */
const KEYS = {
  'api-key': 'simulator-api-key',
  'public-key': 'PK_simulator',
  'secret-key': 'SK_simulator',
} as const;

/** The e-mail and password of the same account, as VTpass's sandbox has them. */
const BASIC = `Basic ${Buffer.from('sandbox@vtpass.com:sandbox').toString('base64')}`;

export const vtpassRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const vtpass = await openVtpass(simulation);
  app.addHook('onClose', async () => vtpass.account.close());
  delayCalls(app, simulation.settings.latencyMs);
  // Some clients read the variations without any.
  app.addHook('preHandler', ({ method, headers, routeOptions: { url = '' } }, reply, done) => {
    const secondKey = method === 'GET' ? 'public-key' : 'secret-key';
    const hasKeys = hasKey(headers, 'api-key') && hasKey(headers, secondKey);
    if (hasKeys || headers.authorization === BASIC || url.endsWith('/service-variations')) done();
    else reply.send(refusal('087'));
  });
  app.post('/pay', ({ body }) => pay(vtpass, body));
  app.post('/requery', ({ body }) => requery(vtpass, body));
  app.post('/merchant-verify', ({ body }) => verify(vtpass, body));
  app.get('/service-categories', () => categories(vtpass));
  app.get<WithQuery>('/services', ({ query }) => services(vtpass, query.get('identifier')));
  app.get<WithQuery>('/service-variations', ({ query }) => variations(vtpass, query.get('serviceID')));
  app.get('/balance', () => balance(vtpass));
  app.setNotFoundHandler(() => notFound);
};

function hasKey(headers: IncomingHttpHeaders, name: keyof typeof KEYS): boolean {
  return headers[name] === KEYS[name];
}
