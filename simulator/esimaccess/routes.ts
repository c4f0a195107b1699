/**
 * eSIM Access's paths below `/esimaccess`. All are POST. A call is signed, or has only the access
 * code.
 */
import { createHmac } from 'node:crypto';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Simulation } from '../account.ts';
import { delayCalls, notFound } from '../http.ts';
import { changeEsim } from './change.ts';
import { openEsimAccess } from './esimaccess.ts';
import { placeOrder } from './order.ts';
import { balance, listEsims, listLocations, listPackages, usage } from './reads.ts';
import { refusal, words } from './replies.ts';

const ACCESS_CODE = 'simulator-access-code';
const SECRET_KEY = 'simulator-esimaccess-secret-0123456789abcdefghij';

export const esimAccessRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const esimaccess = await openEsimAccess(simulation);
  app.addHook('onClose', async () => esimaccess.account.close());
  delayCalls(app, simulation.settings.latencyMs);
  app.addHook('preHandler', (request, reply, done) => {
    if (request.method !== 'POST') reply.send(refusal('000103', 'The request method is not supported'));
    else if (!isAllowed(request)) reply.send(words.unauthorized);
    else done();
  });
  app.post('/api/v1/open/esim/order', ({ body }) => placeOrder(esimaccess, body));
  app.post('/api/v1/open/esim/query', ({ body }) => listEsims(esimaccess, body));
  app.post('/api/v1/open/esim/usage/query', ({ body }) => usage(esimaccess, body));
  for (const change of ['cancel', 'suspend', 'unsuspend', 'revoke'] as const) {
    app.post(`/api/v1/open/esim/${change}`, ({ body }) => changeEsim(esimaccess, change, body));
  }
  app.post('/api/v1/open/package/list', ({ body }) => listPackages(esimaccess, body));
  app.post('/api/v1/open/location/list', () => listLocations(esimaccess));
  app.post('/api/v1/open/balance/query', () => balance(esimaccess));
  app.setNotFoundHandler(() => notFound);
};

/** The time of the signature may be in seconds or milliseconds. How old it is does not matter. */
function isAllowed({ headers, text }: FastifyRequest): boolean {
  const told = headers['rt-signature'];
  if (headers['rt-accesscode'] !== ACCESS_CODE) return false;
  if (told === undefined) return true;
  const message = [headers['rt-timestamp'], headers['rt-requestid'], ACCESS_CODE, text].join('');
  const signature = createHmac('sha256', SECRET_KEY).update(message).digest('hex');
  return String(told).toLowerCase() === signature;
}
