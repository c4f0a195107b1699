/** eSIM Access's paths below `/esimaccess`. All are POST, and all are signed. */
import { createHmac } from 'node:crypto';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Simulation } from '../account.ts';
import { delayCalls, notFound } from '../http.ts';
import { openEsimAccess } from './esimaccess.ts';
import { placeOrder } from './order.ts';
import { balance, listEsims, listPackages } from './reads.ts';
import { refusal, words } from './replies.ts';

const ACCESS_CODE = 'simulator-access-code';
const SECRET_KEY = 'simulator-esimaccess-secret-0123456789abcdefghij';

export const esimAccessRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const esimaccess = await openEsimAccess(simulation);
  app.addHook('onClose', async () => esimaccess.account.close());
  delayCalls(app, simulation.settings.latencyMs);
  app.addHook('preHandler', (request, reply, done) => {
    if (request.method !== 'POST') reply.send(refusal('000103', 'The request method is not supported'));
    else if (!isSigned(request)) reply.send(words.unauthorized);
    else done();
  });
  app.post('/api/v1/open/esim/order', ({ body }) => placeOrder(esimaccess, body));
  app.post('/api/v1/open/esim/query', ({ body }) => listEsims(esimaccess, body));
  app.post('/api/v1/open/package/list', () => listPackages(esimaccess));
  app.post('/api/v1/open/balance/query', () => balance(esimaccess));
  app.setNotFoundHandler(() => notFound);
};

/** The clients' JSON has no spaces, so that what was parsed gives the signed bytes again. */
function isSigned({ headers, body }: FastifyRequest): boolean {
  const message = [headers['rt-timestamp'], headers['rt-requestid'], ACCESS_CODE, JSON.stringify(body)].join(
    '',
  );
  const signature = createHmac('sha256', SECRET_KEY).update(message).digest('hex');
  return headers['rt-accesscode'] === ACCESS_CODE && headers['rt-signature'] === signature;
}
