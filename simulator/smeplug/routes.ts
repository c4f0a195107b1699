/** SMEPlug's paths below `/smeplug`. */
import type { FastifyPluginAsync } from 'fastify';
import type { Simulation } from '../account.ts';
import { delayCalls, json, type Reply } from '../http.ts';
import { holdBack, spoil } from '../misbehave.ts';
import { nairaNumber, nairaText } from '../naira.ts';
import { pay, refusal, unauthorized, words } from './pay.ts';
import { NETWORKS, openSmeplug, type Smeplug, STATES } from './smeplug.ts';

/** It protects nothing: it exists so that a wrong key can be refused. */
const KEY = 'Bearer simulator-smeplug-key';

export const smeplugRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const smeplug = await openSmeplug(simulation);
  const { account } = smeplug;
  app.addHook('onClose', async () => account.close());
  delayCalls(app, simulation.settings.latencyMs);
  app.addHook('preHandler', ({ headers }, reply, done) => {
    if (headers.authorization === KEY) done();
    else reply.send(unauthorized);
  });
  app.post('/airtime/purchase', ({ body }) => pay(smeplug, 'airtime', body));
  app.post('/data/purchase', ({ body }) => pay(smeplug, 'data', body));
  app.get<{ Params: { readonly reference: string } }>('/transactions/:reference', ({ params }) =>
    transaction(smeplug, params.reference),
  );
  app.get('/networks', () => json({ status: true, networks: NETWORKS }));
  app.get('/account/balance', () => json({ data: { balance: nairaText(account.balance()) } }));
  app.get('/data/plans', () => dataPlans(smeplug));
  app.setNotFoundHandler(() => refusal('Not found', 404));
};

/** By SMEPlug's reference only: there is no look-up by the customer's. */
async function transaction({ account }: Smeplug, reference: string): Promise<Reply> {
  const order = account.orders().find(({ detail }) => detail.reference === reference);
  const fault = account.fault('requery', order?.recipient ?? '');
  await holdBack(fault);
  const reply =
    order === undefined
      ? refusal('Transaction not found', 404)
      : json({ status: STATES[order.status], reference, response: STATES[order.status] });
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

function dataPlans({ plans }: Smeplug): Reply {
  const lists = [...plans].map(([network, own]) => [
    network,
    [...own.values()].map(({ id, name, price }) => ({
      id,
      name,
      price: nairaNumber(price),
      telco_price: nairaNumber(price),
    })),
  ]);
  return json({ status: true, data: Object.fromEntries(lists) });
}
