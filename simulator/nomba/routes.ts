/** Nomba's paths below `/nomba`. */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Simulation } from '../account.ts';
import { delayCalls, type Reply, type WithQuery } from '../http.ts';
import { holdBack, spoil } from '../misbehave.ts';
import { type Nomba, openNomba } from './nomba.ts';
import { pay } from './pay.ts';
import { balance, bettingProviders, bouquets, dataPlans, discos, listed, lookUp, single } from './reads.ts';
import { refusal, unauthorized, words } from './replies.ts';

export const nombaRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const nomba = await openNomba(simulation);
  const { tokens } = nomba;
  app.addHook('onClose', async () => nomba.account.close());
  delayCalls(app, simulation.settings.latencyMs);
  app.post('/v1/auth/token/issue', ({ headers, body }) => handOut(nomba, () => tokens.issue(headers, body)));
  app.post('/v1/auth/token/refresh', ({ headers, body }) =>
    handOut(nomba, () => tokens.refresh(headers, body)),
  );
  await app.register(withToken, { nomba });
};

async function handOut({ account }: Nomba, grant: () => Reply): Promise<Reply> {
  const fault = account.fault('token', '');
  await holdBack(fault);
  if (fault?.fault === 'refused') return refusal('01', 'Invalid credentials', 401);
  const reply = grant();
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

const withToken: FastifyPluginAsync<{ readonly nomba: Nomba }> = async (app, { nomba }) => {
  app.addHook('preHandler', ({ headers }, reply, done) => {
    if (nomba.tokens.admits(headers)) done();
    else reply.send(unauthorized);
  });
  purchases(app, nomba);
  accounts(app, nomba);
  bills(app, nomba);
  app.setNotFoundHandler(() => refusal('404', 'Not Found', 404));
};

/** The part of a path that names a sub-account; without it the call is about the parent account. */
const SUB_ACCOUNT = '/:subAccount([\\w-]+)';

type OfAccount = { readonly Params: { readonly subAccount?: string } };

function purchases(app: FastifyInstance, nomba: Nomba): void {
  for (const account of ['', SUB_ACCOUNT]) {
    app.post<{ Params: { readonly kind: string; readonly subAccount?: string } }>(
      `/v1/bill/:kind(topup|data|electricity|cabletv|betting)${account}`,
      ({ params: { kind, subAccount = '' }, body }) => pay(nomba, kind, subAccount, body),
    );
  }
}

function accounts(app: FastifyInstance, nomba: Nomba): void {
  for (const account of ['', SUB_ACCOUNT]) {
    app.get<OfAccount & WithQuery>(
      `/v1/transactions/accounts${account}/single`,
      ({ params: { subAccount = '' }, query }) => single(nomba, subAccount, query),
    );
    // Without a filter all of them are listed.
    app.post<OfAccount & WithQuery>(
      `/v1/transactions/accounts${account}`,
      ({ params: { subAccount = '' }, body, query }) =>
        listed(nomba, subAccount, (body ?? {}) as Record<string, unknown>, query),
    );
    app.get<OfAccount & WithQuery>(
      `/v1/transactions/accounts${account}`,
      ({ params: { subAccount = '' }, query }) => listed(nomba, subAccount, {}, query),
    );
    app.get(`/v1/accounts${account}/balance`, () => balance(nomba));
  }
}

function bills(app: FastifyInstance, nomba: Nomba): void {
  const { catalog } = nomba;
  app.get<{ Params: { readonly network: string } }>(
    '/v1/bill/data-plan/:network([\\w-]+)',
    ({ params: { network } }) => dataPlans(nomba, network),
  );
  app.get('/v1/bill/electricity/discos', () => discos(nomba));
  app.get<WithQuery>('/v1/bill/electricity/lookup', ({ query }) => {
    const known = catalog.discos.has(query.get('disco') ?? '');
    return lookUp(nomba, 'ELECTRICITY', { known }, query.get('customerId'));
  });
  app.get<WithQuery>('/v1/bill/cabletv/lookup', ({ query }) => {
    const type = query.get('cableTvType') ?? '';
    const biller = { known: catalog.bouquets.has(type), as: type.toUpperCase() };
    return lookUp(nomba, 'CABLE', biller, query.get('customerId'));
  });
  app.get<WithQuery>('/v1/bill/cableTvProduct', ({ query }) => bouquets(nomba, query.get('cableTvType')));
  app.get('/v1/bill/betting/providers', () => bettingProviders(nomba));
  app.get<WithQuery>('/v1/bill/betting/lookup', ({ query }) => {
    const known = catalog.bettingProviders.has(query.get('providerId') ?? '');
    return lookUp(nomba, 'BETTING', { known }, query.get('customerId'));
  });
}
