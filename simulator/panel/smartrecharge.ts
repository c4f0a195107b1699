/**
 * A panel of the family `smartrecharge`, below `/panel/smartrecharge`: orders by GET, with the key
 * in the query. Its first answer reports an accepted order with the code of a success.
 */
import type { FastifyPluginAsync } from 'fastify';
import type { Simulation } from '../account.ts';
import type { Order } from '../books.ts';
import { delayCalls, json, type Reply, type WithQuery } from '../http.ts';
import { holdBack, spoil, type Words } from '../misbehave.ts';
import { nairaNumber, parseNaira } from '../naira.ts';
import { buy, isVisible, openPanel, PANEL_KEY, type Panel, page404, priceOf, saidOf } from './panel.ts';

const code = (error_code: number, server_message: string): Reply => json({ error_code, server_message });

const words: Words = {
  odd: { error_code: 1999, server_message: 'Unexpected' },
  noAccess: code(1987, 'Access denied'),
  floatOut: code(1988, 'Insufficient balance'),
  billerDown: code(1989, 'Not available'),
  unauthorized: code(1984, 'Invalid key'),
  rateLimited: json({ server_message: 'Too many requests' }, 429),
  stranger: (proper) => proper,
};

const CODES = { success: 1986, pending: 1981, failed: 1982 } as const;

function about(order: Order, error_code: number): Reply {
  return json({
    error_code,
    server_message: 'Transaction',
    data: {
      recharge_id: Number(order.detail.id),
      text_status: saidOf(order) === 'success' ? 'COMPLETED' : 'RECEIVED',
      amount_charged: nairaNumber(order.cost),
    },
  });
}

export const smartrechargeRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const panel = openPanel('panel-smartrecharge', simulation, {
    words,
    liesAboutAirtime: false,
    reply: (order) => about(order, saidOf(order) === 'pending' ? 1981 : 1986),
    repeated: () => code(1990, 'Duplicate'),
  });
  app.addHook('onClose', async () => panel.account.close());
  delayCalls(app, simulation.settings.latencyMs);
  app.addHook<WithQuery>('preHandler', ({ query }, reply, done) => {
    // An unknown path without a query string has no parameters.
    if (query instanceof URLSearchParams && query.get('api_key') === PANEL_KEY) done();
    else reply.send(words.unauthorized);
  });
  app.get<WithQuery>('/api/v2/airtime/', ({ query }) =>
    query.get('task') === 'check_status'
      ? check(panel, query.get('order_id') ?? '')
      : order(panel, 'airtime', query, parseNaira(query.get('amount'))),
  );
  app.get<WithQuery>('/api/v2/datashare/', ({ query }) =>
    query.get('task') === 'check_status'
      ? check(panel, query.get('order_id') ?? '')
      : order(panel, 'data', query, priceOf(query.get('product_code'))),
  );
  app.get('/api/v2/others/get_balance/', () =>
    json({ error_code: 1986, data: { balance: nairaNumber(panel.account.balance()) } }),
  );
  app.setNotFoundHandler(() => page404);
};

function order(
  panel: Panel,
  product: 'airtime' | 'data',
  query: URLSearchParams,
  amount: bigint | undefined,
): Promise<Reply> {
  const network = query.get('product_code') ?? '';
  return buy(panel, { product, recipient: query.get('phone') ?? '', network, amount }, code(1983, 'Missing'));
}

async function check({ account }: Panel, id: string): Promise<Reply> {
  const found = await account.find(id);
  const fault = account.fault('requery', found?.recipient ?? '');
  await holdBack(fault);
  const isKnown = found !== undefined && isVisible(found);
  const reply = isKnown ? about(found, CODES[saidOf(found)]) : code(1985, 'No such order');
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}
