/**
 * ClubKonnect's paths below `/clubkonnect`. All are GETs with the account in the query string. The
 * calls that buy answer JSON as a page, as was seen.
 */
import type { FastifyPluginAsync } from 'fastify';
import type { Simulation } from '../account.ts';
import { delayCalls, notFound, type Reply, type WithQuery } from '../http.ts';
import { openClubkonnect } from './clubkonnect.ts';
import { pay } from './pay.ts';
import { balance, dataPlans, query as queryOrder, verify } from './reads.ts';
import { refusal } from './replies.ts';

/** These protect nothing: they exist so that a wrong key can be refused. */
const USER_ID = 'CK0000001';
const API_KEY = 'simulator-clubkonnect-key';

export const clubkonnectRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const clubkonnect = await openClubkonnect(simulation);
  app.addHook('onClose', async () => clubkonnect.account.close());
  delayCalls(app, simulation.settings.latencyMs);
  app.get<WithQuery & { readonly Params: { readonly path: string } }>(
    '/:path([\\w.]+).asp',
    async ({ params: { path }, query }) => {
      const isUser = query.get('UserID') === USER_ID;
      if (path === 'APIDatabundlePlansV2' && isUser) return dataPlans(clubkonnect);
      if (!isUser || query.get('APIKey') !== API_KEY) return refusal('INVALID_CREDENTIALS');
      if (path === 'APIQueryV1') return queryOrder(clubkonnect, query);
      if (path === 'APIWalletBalanceV1') return balance(clubkonnect);
      const bought = await pay(clubkonnect, path, query);
      if (bought !== undefined) return asPage(bought);
      return (await verify(clubkonnect, path, query)) ?? notFound;
    },
  );
  app.setNotFoundHandler(() => notFound);
};

function asPage(reply: Reply): Reply {
  if (reply.kind !== 'json') return reply;
  return { kind: 'text', status: reply.status, type: 'text/html', text: JSON.stringify(reply.body) };
}
