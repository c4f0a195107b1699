/**
 * Reloadly's paths below `/reloadly`: those of gift cards, and that of the host which issues
 * tokens.
 */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Simulation } from '../account.ts';
import { delayCalls, json, type Reply, type WithQuery } from '../http.ts';
import { holdBack, spoil } from '../misbehave.ts';
import { placeOrder } from './order.ts';
import {
  balance,
  cardsOf,
  categories,
  countries,
  discountOf,
  discounts,
  fxRate,
  product,
  products,
  productsOf,
  redeemInstructionOf,
  redeemInstructions,
  report,
  reports,
} from './reads.ts';
import { openReloadly, type Reloadly } from './reloadly.ts';
import { refusal, words } from './replies.ts';
import { badCredentials } from './tokens.ts';

export const reloadlyRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const reloadly = await openReloadly(simulation);
  app.addHook('onClose', async () => reloadly.account.close());
  delayCalls(app, simulation.settings.latencyMs);
  app.post('/oauth/token', ({ body }) => handOut(reloadly, body));
  await app.register(withToken, { reloadly });
};

async function handOut({ tokens, account }: Reloadly, body: unknown): Promise<Reply> {
  const fault = account.fault('token', '');
  await holdBack(fault);
  if (fault?.fault === 'refused') return badCredentials;
  // In the format of the service that issues Reloadly's tokens.
  if (fault?.fault === 'no_access')
    return json({ error: 'access_denied', error_description: 'Unauthorized' }, 403);
  const reply = tokens.issue(body);
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

type WithId = { readonly Params: { readonly id: string } };

const wrongPath = refusal(404, null, 'Not Found');

const withToken: FastifyPluginAsync<{ readonly reloadly: Reloadly }> = async (app, { reloadly }) => {
  app.addHook('preHandler', ({ headers }, reply, done) => {
    if (reloadly.tokens.admits(headers)) done();
    else reply.send(words.unauthorized);
  });
  app.post('/orders', ({ body }) => placeOrder(reloadly, body));
  app.get<WithId>('/orders/transactions/:id(\\d+)/cards', ({ params, headers }) => {
    const version = headers.accept?.includes('giftcards-v2') === true ? 'v2' : 'v1';
    return cardsOf(reloadly, params.id, version);
  });
  app.get<WithQuery>('/reports/transactions', ({ query }) => reports(reloadly, query));
  app.get<WithId>('/reports/transactions/:id(\\d+)', ({ params }) => report(reloadly, params.id));
  app.get<WithQuery>('/products', ({ query }) => products(reloadly, query));
  app.get<WithId>('/products/:id(\\d+)', ({ params }) => product(reloadly, params.id));
  lists(app, reloadly);
  app.get('/accounts/balance', () => balance(reloadly));
  app.setNotFoundHandler(() => wrongPath);
};

/** Paths that the gateway does not use, and other clients do. */
function lists(app: FastifyInstance, reloadly: Reloadly): void {
  app.get<{ Params: { readonly country: string } }>(
    '/countries/:country([A-Za-z]{2})/products',
    ({ params }) => productsOf(reloadly, params.country),
  );
  app.get('/countries', () => json(countries(reloadly)));
  app.get<{ Params: { readonly country: string } }>('/countries/:country([A-Za-z]{2})', ({ params }) => {
    const found = countries(reloadly).find(({ isoName }) => isoName === params.country.toUpperCase());
    return found === undefined ? refusal(404, null, 'Country was not found') : json(found);
  });
  app.get('/product-categories', () => json(categories(reloadly)));
  app.get('/redeem-instructions', () => redeemInstructions(reloadly));
  app.get<WithId>('/products/:id(\\d+)/redeem-instructions', ({ params }) =>
    redeemInstructionOf(reloadly, params.id),
  );
  app.get<WithQuery>('/discounts', ({ query }) => discounts(reloadly, query));
  app.get<WithId>('/products/:id(\\d+)/discounts', ({ params }) => discountOf(reloadly, params.id));
  app.get<WithQuery>('/fx-rate', ({ query }) => fxRate(query));
}
